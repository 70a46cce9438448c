import {
  type Actor,
  type Guard,
  guardsOf,
  isEnded,
  MOVES,
  STATES,
} from '../app/domain/application/states';
import { formatted } from './formatted';

export const FILE = 'docs/application-states.md';

/** What a state stands for. */
const STATE_WORDS: Record<(typeof STATES)[number], string> = {
  draft: 'being filled in',
  awaiting_payment: 'certified; its answers are frozen',
  paid: 'waits at the desk until somebody takes it',
  in_review: 'somebody at the desk is checking it',
  action_required: 'the traveller is asked for something; the clock stands still',
  checked: 'waits for somebody to enter it at the official site',
  fee_due: 'entered there; the traveller pays the official fee',
  filed: 'paid there; the authority decides',
  approved: 'the authorization was granted',
  not_authorized: 'it was not',
  cancelled: 'ended before it was filed',
  expired: 'left alone before it was paid',
};

/** Who makes a move. */
const ACTOR_WORDS: Record<Actor, string> = {
  owner: 'the traveller, by draft cookie, link or account',
  system: 'a job, or the payment provider',
  agent: 'any member of staff with this role',
  assignee:
    'the member of staff, agent or supervisor, to whom it is assigned; also may what an agent may',
  supervisor: 'any member of staff with this role',
};

/** What a guard asks. */
const GUARD_WORDS: Record<Guard, string> = {
  stepsValid: 'all eight steps are valid today',
  noOpenCheckout: 'no Checkout Session is open',
  paymentVerified: 'the payment provider confirms order, amount and currency',
  assignedToSelf: 'the same statement assigns it to who takes it; nobody else has it',
  started: 'the start that the traveller chose (`starts_at`) is reached',
  reasonGiven: 'a reason is given',
  fieldsNamed: 'it names at least one field that the traveller is to answer anew',
  askedFieldsOnly: 'the answers that change are those that were asked for',
  tasksDone: 'all checking tasks are done',
  notWithdrawn: 'no withdrawal from the contract waits for the answer of its owner',
  notChecker: 'who moves it has not checked it; always so with the setting `fourEyes: false`',
  officialNumberGiven: 'the number that the official site gave is entered',
  payByKnown:
    'how long the official site keeps an unpaid application is a fact that is known today',
  feeByTraveller: 'the setting `officialFee` is `traveller`',
  feeByOperator: 'the setting `officialFee` is `operator`',
  officialPaymentSeen: 'the official site shows the fee as paid',
  payByPassed: 'the last day of the official payment has passed',
  answerOverdue: 'the traveller has not answered for 30 days',
  validUntilGiven: 'the last day of the authorization is entered',
  untouched: 'nobody has touched it for 30 days',
};

/** The document of the states of an application: a diagram and tables, made from the table of moves. */
export async function statesDocument(): Promise<string> {
  const text = `# The states of an application

<!-- Written by scripts/application-states.ts from the table of moves; a change here is lost. -->

Made by \`npm run docs:states\` from the one table of moves, \`MOVES\` in
\`app/domain/application/states.ts\`; a test fails when the two differ. What is not in the table is
refused. The table only decides: who makes a move writes the new state by compare-and-set on \`version\`,
with an audit event in the same transaction, and what else the move brings (mail, refund, due date).

\`\`\`mermaid
${diagram().join('\n')}
\`\`\`

${table(
  ['state', 'what it is'],
  STATES.map((state) => [code(state), STATE_WORDS[state] + (isEnded(state) ? ' (ended)' : '')]),
)}

## Moves

${table(
  ['event', 'from → to', 'who', 'guards'],
  MOVES.map((row) => [
    code(row.event),
    `${row.from.map(code).join(', ')} → ${code(row.to)}${row.isChosen ? ' (chosen)' : ''}`,
    row.who.join(', '),
    guardsOf(row).map(code).join(', ') || '–',
  ]),
)}

- A move is refused for its state first, then for who asks, then for the first guard that does not hold.
- Where a goal is _chosen_, a person says which, and the caller passes it as \`to\`.
- Of the two rows of \`enter\` the setting \`officialFee\` chooses one: an operator who pays the official fee
  enters and files in one move.
- Entering assigns the application to who enters it, who then files it.
- Assigning, releasing, and the task that appears when an outcome is late change no state.
- An ended application has no way on but \`correct\`. A payment that comes too late for it is recorded and
  refunded, and moves nothing.

## Who

${words(ACTOR_WORDS, 'actor')}

Somebody may be several at once: a supervisor to whom the application is assigned is both. Auditors and
admins move nothing.

## Guards

The caller establishes each as a fact, in the transaction of the move; what it does not mention does not
hold.

${words(GUARD_WORDS, 'guard')}
`;
  return formatted(FILE, text);
}

/** One arrow from a state to another, with all events that make it. */
function diagram(): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { event, from, to } of MOVES) {
    for (const state of from) {
      const arrow = `${state} --> ${to}`;
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event));
    }
  }
  const lines = [...arrows].map(([arrow, events]) => `${arrow}: ${[...events].join(', ')}`);
  const ends = STATES.filter(isEnded).map((state) => `${state} --> [*]`);
  return [
    'stateDiagram-v2',
    ...[`[*] --> ${STATES[0]}`, ...lines, ...ends].map((line) => `    ${line}`),
  ];
}

function words(meanings: Record<string, string>, name: string): string {
  const rows = Object.entries(meanings).map(([word, meaning]) => [code(word), meaning]);
  return table([name, 'what it means'], rows);
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function code(word: string): string {
  return `\`${word}\``;
}
