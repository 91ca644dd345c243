// What a person at the workbench does, in the words of the tests.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test as nodeTest } from 'node:test';
import { openWorkbench, out, startCodeServer, until } from './harness.mjs';
import { session } from './stage.mjs';

/** A code-server with a page, made before the tests of a file and taken down after them. */
export class Desk {
  wb;
  server;

  constructor(name, options) {
    Object.assign(this, session(name));
    this.name = name;
    before(async () => {
      const { ready = true, ...start } = typeof options === 'function' ? options(this) : options;
      this.server = await startCodeServer({ dir: this.dir, ...start, env: { ...this.env, ...start.env } });
      this.wb = await openWorkbench(this.server, this.ws);
      if (ready) await until('the server is ready', () => /the server says: ready, \d+ records/.test(this.log()), { timeout: 90000 });
    });
    after(async () => {
      try {
        if (this.wb) await this.shot(`${name}-last`);
        if (this.server) this.keepLogs();
      } finally {
        await this.wb?.close();
        await this.server?.stop();
        fs.rmSync(path.dirname(this.ws), { recursive: true, force: true, maxRetries: 5 });
      }
    });
  }

  get page() { return this.wb.page; }

  /** A test that leaves a picture when it fails, and the keyboard free for the next one. */
  test = (name, options, body = options) => nodeTest(name, body === options ? {} : options, async () => {
    try {
      await body();
    } catch (error) {
      if (this.wb) await this.shot(`failed: ${name.replaceAll('/', ' ')}`).catch(() => {});
      for (let n = 0; this.wb && n < 3; n += 1) await this.page.keyboard.press('Escape').catch(() => {});
      throw error;
    }
  });

  log = (channel = 'Detour') => this.server.channel(channel);

  keepLogs() {
    for (const channel of ['Detour', 'Detour Server']) fs.writeFileSync(path.join(out, `${this.name}: ${channel}.log`), this.log(channel));
  }

  shot = (name) => this.wb.shot(path.join(out, 'shots', `${name}.png`));

  /** A picture for the README and the walkthrough; `height` leaves out what is empty. */
  async picture(name, height) {
    const all = this.page.viewportSize();
    const file = path.join(out, 'pictures', `${name}.png`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    // What has just appeared is still fading in.
    await this.page.waitForTimeout(700);
    await this.page.screenshot({ path: file, ...(height ? { clip: { x: 0, y: 0, width: all.width, height } } : {}) });
  }

  file = (name) => path.join(this.ws, name);
  read = (name) => fs.readFileSync(this.file(name), 'utf8');
  write = (name, text) => fs.writeFileSync(this.file(name), text);

  clipboard = () => this.page.evaluate(() => { window.focus(); return navigator.clipboard.readText(); });
  copy = (text) => this.page.evaluate((value) => { window.focus(); return navigator.clipboard.writeText(value); }, text);

  tree = (text) => this.page.locator('.pane-body .monaco-list-row', { hasText: text });
  hover = (text) => this.page.locator('.monaco-hover:not(.hidden)', { hasText: text }).first();
  squiggles = (kind = 'error') => this.page.locator(`.editor-instance .squiggly-${kind}`);
  toast = (text) => this.page.locator('.notification-toast', { hasText: text }).first();

  /** Waits for a row of the view "Detour". */
  inTree = (text, timeout = 20000) => until(`the view shows ${text}`, async () => (await this.wb.treeRows()).some((row) => (text instanceof RegExp ? text.test(row) : row.includes(text))), { timeout });
  inCard = (text) => until(`the card says ${text}`, async () => text.test(await this.wb.webviewText()));
  clear = () => this.wb.command('Detour: Clear All Errors');
  closeEditors = () => this.wb.command('View: Close All Editors');

  /** The command is only there while the panel is. */
  async hidePanel() {
    if (await this.page.locator('.part.panel').isVisible()) await this.wb.command('View: Hide Panel');
  }

  toggleSideBar = () => this.wb.command('View: Toggle Primary Side Bar Visibility');

  async pointAt(locator, x = 60) {
    const box = await locator.boundingBox();
    await this.page.mouse.move(box.x + Math.min(x, box.width / 2), box.y + box.height / 2, { steps: 6 });
  }

  /** The mouse where nothing pops up. */
  async rest() {
    await this.page.mouse.move(700, 8);
    await this.page.keyboard.press('Escape');
  }

  async quickFix(title) {
    const action = this.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
    // The key does nothing while the editor is still getting the focus back.
    await until(`the quick fix ${title}`, async () => {
      if (await action.isVisible()) return true;
      await this.page.keyboard.press('Control+.');
      return action.waitFor({ timeout: 4000 }).then(() => true, () => this.page.keyboard.press('Escape').then(() => false));
    }, { timeout: 30000 });
    return action;
  }

  async save(name, expected) {
    await this.page.keyboard.press('Control+S');
    await until(`${name} saved`, () => expected(this.read(name)));
  }

  /** Types a command at the prompt and waits until it is done. */
  async run(command, shown) {
    await this.wb.focusTerminal();
    await this.wb.type(`${command}\n`);
    await until(`output of ${command}`, async () => (await this.wb.terminalText()).includes(shown), { timeout: 30000 });
  }

  /** The squiggle stands on the line with that text. */
  async squiggleOn(line, squiggle = this.squiggles().first()) {
    await squiggle.waitFor();
    const [mark, code] = [await squiggle.boundingBox(), await line.boundingBox()];
    assert.ok(mark.y >= code.y - 2 && mark.y < code.y + code.height + 4, `the squiggle (${mark.y}) is on the line (${code.y} to ${code.y + code.height})`);
  }

  /** How often the server has said that it is ready. */
  readyTimes = () => (this.log().match(/the server says: ready/g) ?? []).length;
}
