// The same extension in a Chinese editor: commands, view, hover card, log.
import { Desk } from './desk.mjs';
import { LANGUAGE_PACK, SUPPORT, VSIX } from './stage.mjs';

const desk = new Desk('chinese', { vsix: [VSIX, SUPPORT, LANGUAGE_PACK], language: 'zh-cn' });
const { test, shot } = desk;

test('commands of the palette are Chinese', async () => {
  const { page, wb } = desk;
  await page.keyboard.press('F1');
  await wb.quickInput.waitFor({ state: 'visible' });
  await wb.quickInput.fill('>Detour');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: '分析剪贴板' }).first().waitFor();
  await shot('chinese-commands');
  await page.keyboard.press('Escape');
});

test('the hover card is Chinese', async () => {
  await desk.wb.openFile('limit.py');
  const squiggle = desk.squiggles('warning').first();
  await squiggle.waitFor();
  await desk.pointAt(squiggle);
  await desk.hover(/[\u4e00-\u9fff]{6,}/).waitFor();
  await shot('chinese-card');
  await desk.rest();
});

test('the view and the whole card are Chinese', async () => {
  await desk.wb.openFile('ranks.log');
  await desk.wb.command('Detour: 显示卡片');
  await desk.inCard(/[\u4e00-\u9fff]{6,}/);
  await desk.wb.command('Detour: Focus on 错误 View');
  await desk.tree('rank 0–7').first().waitFor();
  await shot('chinese-view');
});
