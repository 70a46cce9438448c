import { expect, type Page } from '@playwright/test';

export interface Focused {
  kind: string;
  words: string;
  name: string;
  value: string;
  type: string;
  checked: boolean;
  /** What is wrong with it for somebody who has no mouse; none of the page itself. */
  problems: string[];
}

export const MOST_TABS = 400;

export const focused = (page: Page): Promise<Focused> => page.evaluate(lookAt, undefined);

/** One sees where the focus is: on the screen, under nothing, with its ring, and in the order of the page. */
export async function moveFocus(page: Page, key: string): Promise<Focused> {
  await page.keyboard.press(key);
  const at = await page.evaluate(lookAt, { Tab: 1, 'Shift+Tab': -1 }[key]);
  expect(at.problems, `${key}, to ${at.kind} ${at.name} “${at.words.slice(0, 60)}”`).toEqual([]);
  return at;
}

/** From the first link to the end. Keys come faster than answers: where each has led is seen at the next. */
export async function expectWalkable(page: Page, hasScripts: boolean): Promise<void> {
  await page.locator('a[href="#content"]').focus();
  await page.evaluate(`
    globalThis.walked = [];
    addEventListener('keydown', () => {
      if (walked.at(-1)?.kind !== 'BODY') walked.push((${String(lookAt)})(walked.length && 1));
    }, true);
  `);
  let walked: Focused[] = [];
  while (walked.at(-1)?.kind !== 'BODY' && walked.length < MOST_TABS) {
    if (hasScripts) {
      await Promise.all(Array.from({ length: 30 }, () => page.keyboard.press('Tab')));
      walked = await page.evaluate<Focused[]>('walked');
    } else walked.push(await moveFocus(page, 'Tab'));
  }
  expect(walked.filter(({ problems }) => problems.length > 0)).toEqual([]);
  expect(walked.length).toBeGreaterThan(8);
  expect(walked.length).toBeLessThan(MOST_TABS);
}

/** Runs in the page. @param way where the key led: on (1) or back (-1) */
function lookAt(way: number | undefined): Focused {
  const memory = globalThis as { focusedBefore?: Element | undefined };
  const at = document.activeElement ?? document.body;
  const before = memory.focusedBefore?.isConnected ? memory.focusedBefore : undefined;
  // From the last one a browser without a frame of its own may go round to the first.
  const isRound =
    way === 1 &&
    before !== undefined &&
    at.matches('a[href="#content"]') &&
    [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].every(
      (one) =>
        !(before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ||
        !one.checkVisibility(),
    );
  const isPage = at === document.body || at.id === 'content' || isRound;
  memory.focusedBefore = isPage ? undefined : at;

  const problems: string[] = [];
  const { clientWidth, clientHeight } = document.documentElement;
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(at);
  const ring = Math.floor(Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset));
  if (!isPage) {
    for (const { left, right, top, bottom, width, height } of at.getClientRects()) {
      if (left < ring || right > clientWidth - ring) problems.push('beside the screen');
      const end = height > clientHeight - 2 * ring ? top : bottom;
      if (top < ring || end > clientHeight - ring) {
        problems.push(`off the screen: ${top} to ${bottom}`);
      }
      const over = [
        [left + width / 2, top + height / 2],
        [left + 3, top + 3],
        [right - 3, bottom - 3],
      ].map(([x = 0, y = 0]) => document.elementFromPoint(x, y));
      for (const hit of over) {
        // A label may lie over its own control, so that a click anywhere chooses it.
        const isItsLabel = hit?.closest('label')?.control === at;
        if (hit && !hit.contains(at) && !at.contains(hit) && !isItsLabel) {
          problems.push(`under ${hit.outerHTML.slice(0, 80)}`);
        }
      }
    }
    if (at.getClientRects().length === 0) problems.push('nowhere');
    if (outlineStyle === 'none') problems.push('without a ring');
  }
  if (!isPage && before && before !== at && way !== undefined) {
    const [first, second] = way > 0 ? [before, at] : [at, before];
    const isAfter = first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (!isAfter) problems.push('not in the order of the document');
    const [one, other] = [first, second].map((element) => element.getBoundingClientRect());
    if (one && other) {
      const middle = other.top + other.height / 2;
      const isBeside = middle > one.top && middle < one.bottom;
      // The beginning of the next column stands above the end of the one before.
      const isBefore = middle < one.top && other.left < one.right;
      if (isBeside ? other.left < one.left : isBefore) {
        problems.push('not in the order of the screen');
      }
    }
  }

  const { tagName, textContent } = at;
  const kind = isRound ? 'BODY' : tagName;
  const { name = '', value = '', type = '', checked = false } = at as HTMLInputElement;
  const said = isPage ? '' : (textContent ?? '');
  const words = said.replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
  return { kind, words, name, value, type, checked, problems };
}
