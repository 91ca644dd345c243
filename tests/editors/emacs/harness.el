;;; harness.el --- tests in a running Emacs  -*- lexical-binding: t -*-
;; Values are compared, and whatever the user would be told unasked is a failure.
(setq load-prefer-newer t
      inhibit-startup-screen t
      ;; The tests replace functions: nothing that a compiler needs to know.
      native-comp-enable-subr-trampolines nil native-comp-jit-compilation nil
      user-emacs-directory (make-temp-file "emacs" t)
      inhibit-message t ; what Emacs echoes is none of the test's output
      make-backup-files nil create-lockfiles nil auto-save-default nil
      vc-handled-backends nil)
(require 'cl-lib)
(defvar t-folder (file-name-as-directory (file-truename (getenv "FOLDER"))))
(defvar t-passed 0)
(defvar t-failed 0)
(defvar t-unexpected nil)
(defvar t-expected nil "Texts that the server may tell in this test.")

(defun t-say (format &rest arguments)
  (write-region (concat (apply #'format format arguments) "\n") nil (getenv "REPORT") t 'quiet))

(defun t-equal (what got wanted)
  (unless (equal got wanted) (error "%s is\n  %S\nnot\n  %S" what got wanted)))

(defun t-holds (what text part)
  (unless (and (stringp text) (string-search part text)) (error "%s holds no %S:\n%S" what part text)))

(defun t-wait (get good)
  (let ((end (+ (float-time) 15)) got)
    (while (progn (setq got (funcall get))
                  (and (not (funcall good got)) (< (float-time) end)))
      (read-event nil nil 0.02))
    got))

(defun t-becomes (what get wanted)
  (t-equal what (t-wait get (lambda (got) (equal got wanted))) wanted))

(defun t-some (what get)
  (or (t-wait get #'identity) (error "%s never came" what)))

(defun t-open (name &optional text)
  "Visit a file of the workspace, written first when TEXT is given, and connect as `eglot-ensure' does."
  (let ((path (concat t-folder name)) (coding-system-for-write 'no-conversion))
    (when text (write-region (encode-coding-string text 'utf-8) nil path nil 'quiet)))
  (find-file (concat t-folder name))
  ;; No command ends while the tests run, and `eglot-ensure' waits for that.
  (run-hooks 'post-command-hook)
  (t-some (format "the server for %s" name) #'eglot-managed-p)
  (current-buffer))

(defun t-on-disk (name)
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents (concat t-folder name)))
    (buffer-string)))

(defun t-changed ()
  "Tell the server of edits, as an idle timer does when no tests run."
  (eglot--signal-textDocument/didChange))

(defun t-marks (&optional buffer)
  "Line, first and last column, type and text of what Flymake marks."
  (with-current-buffer (or buffer (current-buffer))
    (flymake-start)
    (sort (mapcar (lambda (d)
                    (save-excursion
                      (goto-char (flymake-diagnostic-beg d))
                      (list (line-number-at-pos) (current-column)
                            (progn (goto-char (flymake-diagnostic-end d)) (current-column))
                            (flymake-diagnostic-type d) (substring-no-properties (flymake-diagnostic-text d)))))
                  (flymake-diagnostics))
          (lambda (a b) (< (car a) (car b))))))

(defun t-places (&optional buffer)
  "Line and record of what Flymake marks."
  (mapcar (lambda (mark)
            (list (car mark) (and (string-match "[a-z]+/[a-z-]+" (nth 4 mark)) (match-string 0 (nth 4 mark)))))
          (t-marks buffer)))

(defun t-menu (&optional pick)
  "What `eglot-code-actions' offers at point; with PICK, that entry is taken (-1: the last)."
  (let (titles)
    (cl-letf ((last-nonmenu-event ?a) ; else it would be a menu of the mouse
              ((symbol-function 'y-or-n-p) #'always) ; "Server wants to edit ... Proceed?"
              ((symbol-function 'completing-read)
               (lambda (_prompt collection &rest _)
                 (setq titles (mapcar (lambda (item) (substring-no-properties (if (consp item) (car item) item)))
                                      (all-completions "" collection)))
                 (if pick (nth (if (< pick 0) (+ (length titles) pick) pick) titles) (throw 't-menu nil)))))
      (catch 't-menu (eglot-code-actions (point) (point) nil t)))
    titles))

(defun t-doc-buffer ()
  (if (and (boundp 'eldoc--doc-buffer) (bufferp eldoc--doc-buffer)) eldoc--doc-buffer (get-buffer-create "*t-none*")))

(defun t-card ()
  "What eldoc shows in its buffer for point."
  (with-current-buffer (t-doc-buffer) (let ((inhibit-read-only t)) (erase-buffer)))
  (cl-letf (((symbol-function 'display-buffer) #'ignore)) (eldoc-print-current-symbol-info t))
  (t-some "the card"
          (lambda ()
            (let ((shown (with-current-buffer (t-doc-buffer)
                           (buffer-substring-no-properties (point-min) (point-max)))))
              (and (not (string-empty-p (string-trim shown))) shown)))))

(defun t-run-command (name &rest arguments)
  (jsonrpc-request (detour-server) :workspace/executeCommand (list :command name :arguments (vconcat arguments))))

(defun t-settings (value)
  (setq-default eglot-workspace-configuration value)
  (eglot-signal-didChangeConfiguration (detour-server)))

(defun t-note (_server method &rest params)
  (when (or (eq method 'window/showMessage)
            (and (eq method 'window/logMessage) (<= (plist-get params :type) 2)))
    (let ((text (plist-get params :message)))
      (unless (cl-some (lambda (part) (string-search part text)) t-expected) (push (list method text) t-unexpected)))))
(with-eval-after-load 'eglot
  (setq eglot-sync-connect 20 eglot-autoshutdown nil eglot-confirm-server-initiated-edits nil
        eglot-confirm-server-edits nil)
  (advice-add 'eglot-handle-notification :before #'t-note))

(defmacro t-test (name &rest body)
  "Run BODY in an Emacs without buffers and incidents of the test before."
  (declare (indent 1))
  `(let ((problem (catch 't-problem
                    (condition-case failure (progn ,@body nil)
                      (error (error-message-string failure))))))
     (read-event nil nil 0.05)
     (when (and (not problem) t-unexpected) (setq problem (format "told unasked: %S" t-unexpected)))
     (setq t-unexpected nil t-expected nil)
     (if problem (cl-incf t-failed) (cl-incf t-passed))
     (t-say "%s %s%s" (if problem "FAIL" "ok  ") ,name (if problem (concat "\n" problem) ""))
     (ignore-errors (t-run-command "detour.clear"))
     (dolist (buffer (buffer-list))
       (when (buffer-file-name buffer)
         (with-current-buffer buffer (set-buffer-modified-p nil))
         (kill-buffer buffer)))))
