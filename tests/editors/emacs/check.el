;;; check.el --- every feature of the server that eglot can show  -*- lexical-binding: t -*-
(defconst limit "pytorch/compile-recompilation-limit")
(defconst shape "pytorch/matmul-shape-mismatch")
(defconst old "pytorch/deprecated-function")
(defconst bad "import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint(torch.compile)\n")
(defun go-to (line &optional column)
  (goto-char (point-min)) (forward-line (1- line)) (move-to-column (or column 0)))
(defun line-at (line) (save-excursion (go-to line) (buffer-substring-no-properties (point) (line-end-position))))

(t-test "the configuration of the guide starts the server"
  (t-open "bad.py")
  (t-equal "name" (plist-get (eglot--server-info (eglot-current-server)) :name) "detour")
  (t-equal "root" (file-truename (file-name-as-directory (project-root (eglot--project (eglot-current-server))))) t-folder))

(t-test "a finding is marked on its columns, with its text"
  (t-open "bad.py")
  (let ((mark (car (t-some "a mark" #'t-marks))))
    (t-equal "place and type" (butlast mark) '(3 0 40 eglot-warning))
    (t-holds "text" (nth 4 mark) limit)
    (t-holds "text" (nth 4 mark) "A limit of 0 or below loops nowhere: it compiles nothing.")))

(t-test "findings come, move and go while one types"
  (t-open "typed.py" bad)
  (t-becomes "found" #'t-places `((3 ,limit)))
  (go-to 3 39) (delete-char 1) (insert "64") (t-changed)
  (t-becomes "a limit of 64" #'t-places nil)
  (go-to 3 39) (delete-char 2) (insert "0") (go-to 1) (insert "# a line above\n") (t-changed)
  (t-becomes "a limit of 0, a line below" #'t-places `((4 ,limit))))

(t-test "the card of a finding"
  (t-open "bad.py")
  (t-becomes "found" #'t-places `((3 ,limit)))
  (go-to 3 10)
  (let ((card (t-card)))
    (t-holds "card" card limit)
    (t-holds "card" card "compiles nothing")))

(t-test "the card of an incident anywhere in its traceback, and the source of a frame"
  (t-open "classifier.log")
  (t-becomes "found" #'t-places `((23 ,shape)))
  (go-to 23 20)
  (t-holds "card on the message" (t-card) shape)
  (go-to 11 5)
  (let ((card (t-card)))
    (t-holds "frame" card "classifier.py:13")
    (t-holds "its source" card ">   13          return self.out(self.hidden(x).relu())")
    (t-holds "the card below" card shape)))

(t-test "quick fixes best first and \"ignore here\" last; one is taken"
  (t-open "fixed.py" bad)
  (t-becomes "found" #'t-places `((3 ,limit)))
  (go-to 3 10)
  (let ((titles (t-menu)))
    (t-equal "first" (car titles) "Detour: Delete the limit of 0 (needs a look)")
    (t-equal "last" (car (last titles)) (format "Detour: ignore %s here" limit)))
  (t-menu 0)
  (t-equal "text" (buffer-string) "import torch\n\nprint(torch.compile)\n")
  (t-changed)
  (t-becomes "marks" #'t-places nil))

(t-test "\"ignore here\" silences the line"
  (t-open "ignored.py" bad)
  (t-becomes "found" #'t-places `((3 ,limit)))
  (go-to 3 10)
  (t-menu -1)
  (t-equal "line" (line-at 3) (format "torch._dynamo.config.recompile_limit = 0  # detour: ignore[%s]" limit))
  (t-changed)
  (t-becomes "marks" #'t-places nil))

(t-test "a fix that is offered in a log changes the program"
  (t-open "train.log")
  (t-becomes "found" #'t-places `((1 ,limit)))
  (go-to 1 90)
  (t-menu 0)
  (with-current-buffer (find-file-noselect (concat t-folder "repro_dynamic_false.py"))
    (t-equal "program" (line-at 5) "@torch.compile(backend=\"eager\", dynamic=True)")))

(t-test "safe repairs are made when the file is written, others are not"
  (t-open "grid.py" (concat "import torch\n\nx = torch.meshgrid(torch.ones(2), torch.ones(3))\n"
                            "y = torch.ger(x[0], x[1])\ntorch._dynamo.config.recompile_limit = 0\n"))
  (t-becomes "found" #'t-places `((3 ,old) (4 ,old) (5 ,limit)))
  (go-to 1) (insert "# typed a moment ago\n")
  (save-buffer)
  (t-equal "on disk" (t-on-disk "grid.py")
           (concat "# typed a moment ago\nimport torch\n\nx = torch.meshgrid(torch.ones(2), torch.ones(3), indexing=\"ij\")\n"
                   "y = torch.outer(x[0], x[1])\ntorch._dynamo.config.recompile_limit = 0\n"))
  (t-changed)
  (t-becomes "left" #'t-places `((6 ,limit)))
  (go-to 1) (insert "# and once more, with nothing to repair\n")
  (save-buffer)
  (t-equal "modified" (buffer-modified-p) nil))

(t-test "from a frame of a log to the line of the code"
  (t-open "classifier.log")
  (t-becomes "found" #'t-places `((23 ,shape)))
  (go-to 2 10)
  (call-interactively #'xref-find-definitions)
  (t-equal "place" (list (buffer-name) (line-number-at-pos)) '("classifier.py" 15))
  (switch-to-buffer "classifier.log")
  (go-to 23 16)
  (call-interactively #'xref-find-definitions)
  (t-equal "place of the incident" (list (buffer-name) (line-number-at-pos)) '("classifier.py" 13)))

(t-test "an incident of a log is marked in the program too, with its card"
  (let ((log (t-open "classifier.log")))
    (t-becomes "found" (lambda () (t-places log)) `((23 ,shape))))
  (t-open "classifier.py")
  (t-becomes "in the program" #'t-places `((13 ,shape)))
  (go-to 13 10)
  (t-holds "card" (t-card) "144"))

(t-test "the outline of a log"
  (t-open "classifier.log")
  (t-becomes "found" #'t-places `((23 ,shape)))
  (let ((flat (flatten-tree (funcall imenu-create-index-function))))
    (t-equal "entry" (cl-some (lambda (item) (and (stringp item) (string-search "Matrix shapes do not fit" item) t)) flat) t)))

(t-test "M-x detour-command clears and scans; cards by name"
  (let ((log (t-open "classifier.log")))
    (t-becomes "found" #'t-places `((23 ,shape)))
    (t-holds "card" (t-run-command "detour.showCard" (list :record limit)) "# ")
    (t-equal "incidents in train.log" (plist-get (detour-command "detour.scanWorkspace") :incidents) 1)
    (detour-command "detour.clear")
    (t-becomes "cleared" (lambda () (t-places log)) nil)))

(t-test "settings change without a restart"
  (let ((of-the-guide (default-value 'eglot-workspace-configuration)))
    (unwind-protect
        (progn
          (t-open "bad.py")
          (t-becomes "found" #'t-places `((3 ,limit)))
          (t-settings '(:detour (:check (:enable :json-false))))
          (t-becomes "check.enable = false" #'t-places nil)
          (t-settings `(:detour (:ignore [,limit])))
          (t-becomes "ignored" #'t-places nil)
          (setq t-expected '("detour.language"))
          (t-settings '(:detour (:language 7)))
          (t-becomes "a wrong value counts as none" #'t-places `((3 ,limit)))
          (t-settings '(:detour (:language "zh")))
          (go-to 3 10)
          (t-becomes "Chinese" (lambda () (and (string-search "行不通的做法" (t-card)) t)) t))
      (t-settings of-the-guide))))

(t-test "M-x compile marks the line that raised, and the next run clears it"
  (t-open "classifier.py")
  (t-equal "before" (t-places) nil)
  (let ((code (current-buffer)) (default-directory t-folder) (compilation-always-kill t))
    (cl-flet ((run ()
                (compile "cat a.log")
                (t-some "the end of the command" (lambda () (not compilation-in-progress)))))
      (copy-file (concat t-folder "classifier.log") (concat t-folder "a.log") t)
      (run)
      (t-becomes "in the program" (lambda () (t-places code)) `((13 ,shape)))
      (write-region "all well\n" nil (concat t-folder "a.log") nil 'quiet)
      (run)
      (t-becomes "the same command" (lambda () (t-places code)) nil))))

(t-test "`detour run' in any shell tells the editor"
  (t-open "classifier.py")
  (let ((default-directory t-folder))
    (t-equal "exit status" (call-process "detour" nil nil nil "run" "--" "sh" "-c" "cat classifier.log; exit 3") 3))
  (t-becomes "in the program" #'t-places `((13 ,shape))))

(t-test "an incident moves with its line and ends when the line is changed"
  (t-open "moved.py" (t-on-disk "classifier.py"))
  (let ((run (list :terminalId "a" :executionId "1" :commandLine "python moved.py" :cwd t-folder)))
    (jsonrpc-notify (detour-server) :detour/terminalData
                    (append run (list :data (string-replace "classifier.py" "moved.py" (t-on-disk "classifier.log")))))
    (jsonrpc-notify (detour-server) :detour/terminalEnd (append run '(:exitCode 1 :noData :json-false))))
  (t-becomes "in the program" #'t-places `((13 ,shape)))
  (go-to 1) (insert "# one\n") (t-changed)
  (t-becomes "a line below" #'t-places `((14 ,shape)))
  (go-to 14 8) (kill-line) (insert "return x") (t-changed)
  (t-becomes "gone" #'t-places nil))

(t-test "logs that appear and grow are followed where the setting of the guide names them"
  (t-open "classifier.py")
  (make-directory (concat t-folder "runs/1") t)
  (let ((log (concat t-folder "runs/1/a.log")))
    (write-region "epoch 1\n" nil log nil 'quiet)
    (write-region (t-on-disk "classifier.log") nil log t 'quiet)
    (t-becomes "in the program" #'t-places `((13 ,shape)))
    (write-region "epoch 1\n" nil log nil 'quiet)
    (t-becomes "the log is begun anew" #'t-places nil)))

(t-test "columns behind letters outside of Latin, in a file with CRLF"
  (t-open "crlf.py" "import torch\r\nx = '𝒳é'; torch._dynamo.config.recompile_limit = 0\r\nprint(x)\r\n")
  (t-becomes "marks" (lambda () (mapcar (lambda (mark) (seq-take mark 3)) (t-marks))) '((2 10 50)))
  (go-to 1) (insert "y = '𝒳'\n") (go-to 3 5) (insert "𝒳") (t-changed)
  (t-becomes "moved" (lambda () (mapcar (lambda (mark) (seq-take mark 3)) (t-marks))) '((3 11 51)))
  (go-to 3 20)
  (t-menu 0)
  (t-equal "line" (line-at 3) "x = '𝒳𝒳é'")
  (save-buffer)
  (t-equal "on disk" (t-on-disk "crlf.py") "y = '𝒳'\r\nimport torch\r\nx = '𝒳𝒳é'\r\nprint(x)\r\n"))

(t-test "after a restart all is there again"
  (t-open "bad.py")
  (t-becomes "found" #'t-places `((3 ,limit)))
  (let ((first (eglot-current-server)))
    (eglot-reconnect first)
    (t-some "a new server" (lambda () (and (eglot-current-server) (not (eq first (eglot-current-server))))))
    (t-becomes "found again" #'t-places `((3 ,limit)))
    (go-to 3 10)
    (t-holds "card" (t-card) limit)))

(t-test "the server is shut down as LSP asks"
  (t-open "bad.py")
  (eglot-shutdown (detour-server))
  (t-equal "the server" (detour-server) nil))

(t-say "%d passed, %d failed" t-passed t-failed)
(kill-emacs (if (= t-failed 0) 0 1))
