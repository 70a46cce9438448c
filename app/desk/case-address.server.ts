import type { OpenCase } from './open-case.server';

/**
 * The address of a case, or of a page under it, with the reason for which it was opened.
 *
 * @param parameters what is asked of the page besides, such as `done`: codes, never an answer
 */
export function caseAddress(
  { row, reason }: Pick<OpenCase, 'row' | 'reason'>,
  parameters: Readonly<Record<string, string>> = {},
  page = '',
): string {
  const query = new URLSearchParams({ ...(reason && { reason }), ...parameters });
  return `/crm/processing/${row.id}${page}${query.size > 0 ? `?${query}` : ''}`;
}
