// The same extension in a Chinese editor: commands, view, hover card, log.
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkbench, out, startCodeServer, until } from './harness.mjs';
import { LANGUAGE_PACK, SUPPORT, VSIX, session } from './stage.mjs';

let server;
let wb;
let page;
const { dir, ws, env } = session('chinese');
const shot = (name) => wb.shot(path.join(out, 'shots', `${name}.png`));

before(async () => {
  server = await startCodeServer({ dir, vsix: [VSIX, SUPPORT, LANGUAGE_PACK], env, language: 'zh-cn' });
  wb = await openWorkbench(server, ws);
  page = wb.page;
  await until('the server is ready', () => /the server says: ready/.test(server.channel('Detour')), { timeout: 90000 });
});

after(async () => {
  try {
    if (wb) await shot('chinese-last');
  } finally {
    await wb?.close();
    await server?.stop();
    fs.rmSync(path.dirname(ws), { recursive: true, force: true, maxRetries: 5 });
  }
});

test('commands of the palette are Chinese', async () => {
  await page.keyboard.press('F1');
  await wb.quickInput.waitFor({ state: 'visible' });
  await wb.quickInput.fill('>Detour');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: '分析剪贴板' }).first().waitFor();
  await shot('chinese-commands');
  await page.keyboard.press('Escape');
});

test('the hover card is Chinese', async () => {
  await wb.openFile('limit.py');
  const squiggle = page.locator('.editor-instance .squiggly-warning').first();
  await squiggle.waitFor();
  const box = await squiggle.boundingBox();
  await page.mouse.move(box.x + 60, box.y + box.height / 2, { steps: 6 });
  await page.locator('.monaco-hover:not(.hidden)').filter({ hasText: /[\u4e00-\u9fff]{6,}/ }).first().waitFor();
  await shot('chinese-card');
  await page.mouse.move(700, 8);
});

test('the view and the whole card are Chinese', async () => {
  await wb.openFile('ranks.log');
  await wb.command('Detour: 显示卡片');
  await until('the card', async () => /[\u4e00-\u9fff]{6,}/.test(await wb.webviewText()));
  await wb.command('Detour: Focus on 错误 View');
  await page.locator('.pane-body .monaco-list-row', { hasText: 'rank 0–7' }).first().waitFor();
  await shot('chinese-view');
});
