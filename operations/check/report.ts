export type Finding = { level: 'error' | 'warning'; text: string };

export type Area = { name: string } & (
  | {
      summary: string;
      findings: readonly Finding[];
    }
  | { unchecked: string }
);

/** The texts of those that hold. */
export const holding = (lines: readonly (readonly [is: unknown, text: string])[]): string[] =>
  lines.flatMap(([is, text]) => (is ? text : []));

export function reportOf(areas: readonly Area[]): { text: string; errors: number } {
  const { errors, warnings } = count(
    areas.flatMap((area) => ('findings' in area ? area.findings : [])),
  );
  const total = `${errors} errors, ${warnings} warnings`;
  return { text: [...areas.flatMap(linesOf), '', total].join('\n'), errors };
}

function linesOf(area: Area): string[] {
  if ('unchecked' in area) return [`${area.name}: not checked; ${area.unchecked}`];
  const { name, summary, findings } = area;
  return [
    `${name}: ${verdict(findings)} (${summary})`,
    ...findings.map(({ level, text }) => `  ${level}: ${text}`),
  ];
}

function verdict(findings: readonly Finding[]): string {
  const { errors, warnings } = count(findings);
  const parts = holding([
    [errors, `${errors} ${errors === 1 ? 'error' : 'errors'}`],
    [warnings, `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`],
  ]);
  return parts.join(', ') || 'fine';
}

function count(findings: readonly Finding[]): { errors: number; warnings: number } {
  const errors = findings.filter(({ level }) => level === 'error').length;
  return { errors, warnings: findings.length - errors };
}
