import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import type { AnswerView } from './application-answers.server';

/** The lines of addresses, which are read as one answer by the label of the first. */
const ADDRESSES: readonly (readonly string[])[] = [
  ['address_line1', 'address_line2', 'address_apartment', 'address_city', 'address_region'],
  ['employer_address_line1', 'employer_address_line2', 'employer_city', 'employer_region'],
  ['us_contact_address_line1', 'us_contact_address_line2', 'us_contact_city', 'us_contact_state'],
  ['us_address_line1', 'us_address_city', 'us_address_state', 'us_address_zip'],
];

type Person = 'parent1' | 'parent2' | 'emergency';
/** The names of people, family name first. */
const PEOPLE: Readonly<Record<Person, readonly string[]>> = {
  parent1: ['parent1_last_name', 'parent1_first_name'],
  parent2: ['parent2_last_name', 'parent2_first_name'],
  emergency: ['emergency_last_name', 'emergency_first_name'],
};

/** Answers that are read as one. */
interface Group {
  names: readonly string[];
  between: string;
  /** Whose name it is; without, the label of the first answer is that of all. */
  person?: Person;
}

/** The group of an answer, by its name. */
const GROUPS: ReadonlyMap<string, Group> = new Map(
  [
    ...ADDRESSES.map((names): Group => ({ names, between: '\n' })),
    ...Object.entries(PEOPLE).map(([person, names]): Group => ({
      names,
      between: ', ',
      person: person as Person,
    })),
  ].flatMap((group) => group.names.map((name) => [name, group])),
);

/**
 * The answers of a step as somebody looks through them: an address in its lines, a person by both
 * names. Their order stays; lines that were left empty are left out.
 */
export function groupedAnswers(answers: readonly AnswerView[], language: Language): AnswerView[] {
  const t = translator(language);
  return answers.flatMap((answer) => {
    const group = GROUPS.get(answer.name);
    if (!group) return [answer];
    const members = answers.filter(({ name }) => group.names.includes(name));
    if (members[0] !== answer) return [];
    const label = group.person ? t(`application-check:people.${group.person}`) : answer.label;
    return [together(members, label, group.between)];
  });
}

function together(members: readonly AnswerView[], label: string, between: string): AnswerView {
  const [first] = members as [AnswerView];
  const given = members.filter(({ isMissing }) => !isMissing);
  if (given.length === 0) return { ...first, label };
  const { name, id } = first;
  const text = given.map((one) => one.text).join(between);
  if (given.every(({ sent }) => sent === undefined)) return { name, id, label, text };
  const sent = given.map((one) => one.sent ?? one.text.toUpperCase()).join(between);
  return { name, id, label, text, sent };
}
