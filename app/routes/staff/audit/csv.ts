import { audit } from '~/accounts/audit.server';
import { now, today } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { auditLog } from '~/desk/audit-log.server';
import { deskLoader } from '~/desk/desk-page.server';
import { csvFile } from '~/http/csv.server';
import { translator } from '~/i18n/locale.server';

/** What the page of the audit log shows, as a file; that it was taken is recorded. */
export const loader = deskLoader('export', async ({ user, asked: query, language }) => {
  const t = translator(language);
  const reader = { id: user.id, role: user.role };
  const found = await requireDatabase((db) => auditLog(db, { query, reader, language }));
  if (found.isWrong) throw new Response(null, { status: 404 });
  await requireWrite((db) => audit(db, user, 'audit.exported', ['user', user.id], now()));
  const names = ['time', 'what', 'details', 'kind'] as const;
  const rows = found.days.flatMap(({ day, rows }) =>
    rows.map(({ time, words, detail, kind }) => [
      ...[`${day} ${time}`, words, detail, t(`desk-audit:tags.${kind}`)],
    ]),
  );
  const lines = [names.map((name) => t(`desk-audit:columns.${name}`)), ...rows];
  return csvFile(`audit-${today()}`, lines, language);
});
