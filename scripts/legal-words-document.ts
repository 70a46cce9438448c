import { readdirSync, readFileSync } from 'node:fs';
import { formatted } from './formatted';

export const FILE = 'docs/legal-words.md';

/** Words of law: where they stand in the locales, and where they come from. */
interface Words {
  /** `namespace:key`. */
  key: string;
  /** The law; several are separated by semicolons. */
  source: string;
}

interface Part {
  title: string;
  /** Where a reader meets them. */
  where: string;
  words: Words[];
}

const CONDITIONS =
  'The terms of sale at `/conditions`, and in full in the confirmation of each order';

/** A new word of law gets its line here; `npm run docs:words` writes the document. */
const PARTS: Part[] = [
  {
    title: 'What is agreed to when ordering',
    where: 'The order page, nothing ticked before; the sentence is frozen into the order',
    words: [
      {
        key: 'order-consents:start.now',
        source:
          'Directive 2011/83/EU, articles 8(8) and 16(a); L. 221-25 and L. 221-28, 1° C. conso; §§ 356(4) no. 2 and 357a(2) BGB',
      },
      {
        key: 'order-consents:start.after_14_days',
        source: 'Directive 2011/83/EU, article 9(2)(a); L. 221-18 C. conso; § 355(2) BGB',
      },
      { key: 'order-consents:terms', source: '1119 and 1127-1 C. civ.; § 305(2) BGB' },
      {
        key: 'order-consents:not_government_acknowledged',
        source:
          'Directive 2005/29/EC, articles 6(1)(f) and 7; L. 121-2 C. conso; § 5 UWG. No law asks for this sentence',
      },
    ],
  },
  {
    title: 'The order button, and what stands above it',
    where: 'The order page; the button is the last thing on it',
    words: [
      {
        key: 'order-payment:button',
        source: 'Directive 2011/83/EU, article 8(2); L. 221-14 C. conso; § 312j(3) BGB',
      },
      {
        key: 'order-payment:glance.termOf',
        source: 'Directive 2011/83/EU, articles 6(1)(o) and 8(2); § 312j(2) BGB',
      },
      {
        key: 'order-payment:glance.feeOf',
        source: 'Directive 2011/83/EU, article 6(1)(e); L. 112-1 C. conso; § 3 PAngV',
      },
      {
        key: 'order-payment:withdrawal.text',
        source: 'Directive 2011/83/EU, articles 6(1)(h), (j) and 14(3); L. 221-5 C. conso',
      },
    ],
  },
  {
    title: 'Order, payment and performance',
    where: CONDITIONS,
    words: [
      { key: 'legal-live:conditions.intro', source: 'L. 221-13 C. conso; § 312f(2) BGB' },
      {
        key: 'legal:conditions.sections.seller.text',
        source:
          'Directive 2011/83/EU, article 6(1)(b), (c); L. 221-5 C. conso; article 246a § 1(1) EGBGB',
      },
      {
        key: 'legal:conditions.sections.service.text',
        source: 'Directive 2011/83/EU, article 6(1)(a); L. 111-1, 1° C. conso',
      },
      {
        key: 'legal:conditions.sections.prices.text',
        source: 'Directive 2011/83/EU, article 6(1)(e); L. 112-1 C. conso; § 3 PAngV',
      },
      {
        key: 'legal-live:conditions.sections.order.text',
        source:
          'Directive 2011/83/EU, article 8(2); L. 221-14 C. conso; 1127-1 and 1127-2 C. civ.; §§ 312i and 312j BGB; L. 123-22 C. com.',
      },
      {
        key: 'legal-live:conditions.sections.payment.text',
        source: 'Directive 2011/83/EU, articles 6(1)(g) and 8(3)',
      },
      {
        key: 'legal-live:conditions.sections.payment.provider',
        source: 'Directive 2011/83/EU, article 6(1)(g)',
      },
      {
        key: 'legal-live:conditions.sections.payment.demonstration',
        source: 'None: true where no payment provider is set',
      },
      {
        key: 'legal-live:conditions.sections.performance.text',
        source:
          'Directive 2011/83/EU, articles 6(1)(g) and (k), 16(a); L. 216-1, L. 216-6, L. 221-25 and L. 221-28, 1° C. conso; §§ 323 and 356(4) no. 2 BGB',
      },
      {
        key: 'legal-live:conditions.sections.performance.filingOurs',
        source: 'None: true where `filingEmail` is set',
      },
      {
        key: 'legal-live:conditions.sections.performance.filingYours',
        source: 'None: true where `filingEmail` is null',
      },
      {
        key: 'legal-live:conditions.sections.age.text',
        source: '1146 C. civ.; §§ 107 and 108 BGB; the specification, section 9',
      },
    ],
  },
  {
    title: 'Information on withdrawal and model form',
    where: `${CONDITIONS}; in that message also on their own, before the terms`,
    words: [
      {
        key: 'legal-live:conditions.sections.withdrawal.title',
        source:
          'Directive 2011/83/EU, annex I(A); annexe à l’article R. 221-3 C. conso; Anlage 1 zu Artikel 246a § 1 Absatz 2 Satz 2 EGBGB',
      },
      {
        key: 'legal-live:conditions.sections.withdrawal.text',
        source:
          'The same, official wording: instruction 1(a) (services), 2 (name, address, telephone, email), 3 (withdrawal function, since 19 June 2026), 6 (services begun early); 4 and 5 (goods) left out',
      },
      {
        key: 'legal:conditions.sections.withdrawalForm.title',
        source:
          'Directive 2011/83/EU, annex I(B); annexe à l’article R. 221-1 C. conso; Anlage 2 zu Artikel 246a § 1 Absatz 2 Satz 1 Nr. 1 EGBGB',
      },
      {
        key: 'legal-live:conditions.sections.withdrawalForm.text',
        source: 'The same, official wording, with name, address and email of the seller',
      },
    ],
  },
  {
    title: 'The withdrawal function',
    where: 'The foot of every page, `/withdrawal`, and the message that confirms it',
    words: [
      {
        key: 'shell:footer.withdrawal',
        source: 'Directive 2011/83/EU, article 11a(1); L. 221-21 C. conso; § 356a(1) BGB',
      },
      {
        key: 'order-withdrawal:rights',
        source: 'Directive 2011/83/EU, article 9; L. 221-18 C. conso; § 355(2) BGB',
      },
      {
        key: 'order-withdrawal:statement',
        source: 'Directive 2011/83/EU, article 11a(2); D. 221-5 C. conso; § 356a(2) BGB',
      },
      {
        key: 'order-withdrawal:confirm.button',
        source: 'Directive 2011/83/EU, article 11a(3); L. 221-21 C. conso; § 356a(3) BGB',
      },
      {
        key: 'order-withdrawal:receipt.found',
        source: 'Directive 2011/83/EU, article 13(1); L. 221-24 C. conso; § 357(1) BGB',
      },
      {
        key: 'order-withdrawal:receipt.recorded',
        source:
          'The same; who declares is asked by the law for no proof, and here for no more than an answer',
      },
      {
        key: 'mail:mails.withdrawalReceived.what',
        source: 'Directive 2011/83/EU, article 11a(4); § 356a(4) BGB',
      },
    ],
  },
  {
    title: 'What an invoice says',
    where: '`/application/{id}/invoice`, in the language of the order',
    words: [
      {
        key: 'order-invoice:sheet.vat',
        source:
          'Directive 2006/112/EC, article 226; article 242 nonies A annexe II CGI; § 14(4) UStG',
      },
      {
        key: 'order-invoice:sheet.serviceNote',
        source: 'Article 242 nonies A annexe II CGI (nature of the operation)',
      },
      {
        key: 'order-invoice:sheet.euros',
        source: 'Directive 2006/112/EC, articles 91 and 230; § 16(6) UStG',
      },
      {
        key: 'order-invoice:sheet.creditNote',
        source: 'Directive 2006/112/EC, article 219; § 31(5) UStDV; article 272 CGI',
      },
    ],
  },
  {
    title: 'Guarantees, liability, complaints',
    where: CONDITIONS,
    words: [
      {
        key: 'legal-live:conditions.sections.refunds.text',
        source:
          'The specification, section 9; Directive 2011/83/EU, articles 6(1)(m) and 13(1); L. 221-24 C. conso; § 357(1) BGB. Only while the guarantee is offered',
      },
      {
        key: 'legal-live:conditions.sections.conformity.text',
        source:
          'Directive 2011/83/EU, article 6(1)(l); L. 224-25-12 and following C. conso; 1217 C. civ.; §§ 327 and following BGB',
      },
      {
        key: 'legal-live:conditions.sections.conformity.guarantee',
        source: 'L. 217-21 C. conso, by analogy. Only while the guarantee is offered',
      },
      {
        key: 'legal:conditions.sections.liability.text',
        source: 'The specification, section 9; see the questions below',
      },
      {
        key: 'legal:conditions.sections.complaints.text',
        source: 'Directive 2011/83/EU, article 6(1)(g)',
      },
      {
        key: 'legal:conditions.sections.mediation.text',
        source:
          'Directive 2011/83/EU, article 6(1)(t); L. 612-1, L. 616-1 and R. 616-1 C. conso; § 36 VSBG',
      },
      {
        key: 'legal:conditions.sections.law.text',
        source:
          'Regulation (EC) 593/2008, article 6(2); Regulation (EU) 1215/2012, articles 17 and 18',
      },
    ],
  },
  {
    title: 'Confirmation of the order',
    where: 'The message after payment',
    words: [
      {
        key: 'mail:mails.orderConfirmation.todo',
        source: 'Directive 2011/83/EU, article 8(7); L. 221-13 C. conso; § 312f(2) BGB',
      },
      { key: 'order-mail:order.text', source: 'Directive 2011/83/EU, article 6(1)(a)' },
      { key: 'order-mail:order.price', source: 'Directive 2011/83/EU, article 6(1)(e)' },
      { key: 'order-mail:order.officialFeeOf', source: 'Directive 2011/83/EU, article 6(1)(e)' },
      {
        key: 'order-mail:start.now',
        source:
          'Directive 2011/83/EU, article 8(7)(b) by analogy and article 16(a); § 312f(3) BGB by analogy',
      },
      { key: 'order-mail:start.after_14_days', source: 'Directive 2011/83/EU, article 6(1)(g)' },
      { key: 'order-mail:start.due', source: 'Directive 2011/83/EU, article 6(1)(g)' },
      { key: 'order-mail:consents.text', source: 'Directive 2011/83/EU, articles 8(7) and 16(a)' },
      { key: 'order-mail:guarantee.text', source: 'Directive 2011/83/EU, article 6(1)(m)' },
    ],
  },
  {
    title: 'Terms of service',
    where: 'The page `/terms`',
    words: [
      { key: 'legal-live:terms.intro', source: 'None' },
      {
        key: 'legal-live:terms.sections.service.text',
        source: 'Directive 2005/29/EC, article 7(4)(a)',
      },
      {
        key: 'legal-live:terms.sections.service.filingOurs',
        source: 'None: true where `filingEmail` is set',
      },
      {
        key: 'legal-live:terms.sections.service.filingYours',
        source: 'None: true where `filingEmail` is null',
      },
      { key: 'legal-live:terms.sections.duties.text', source: '1104 C. civ.; § 242 BGB' },
    ],
  },
  {
    title: 'Privacy, where orders are taken',
    where: 'The page `/privacy`',
    words: [
      { key: 'legal-live:privacy.intro', source: 'GDPR, article 12(1)' },
      {
        key: 'legal-live:privacy.sections.consent.text',
        source:
          'GDPR, articles 6(1)(a), 7(3), 9(2)(a), 10 and 13(2)(c); article 46 of loi n° 78-17 (offences)',
      },
      {
        key: 'legal-live:privacy.sections.contact.text',
        source: 'GDPR, articles 6(1)(b) and (f), 13(1)(c) and (d), (2)(a)',
      },
      {
        key: 'legal-live:privacy.sections.paidService.text',
        source:
          'GDPR, articles 6(1)(a), (b), (c) and (f), 9(2)(a), 13(1)(c) and (d), (2)(e) and 14(1)(d); L. 123-22 C. com.; L. 34-5 CPCE (reminders)',
      },
      { key: 'legal-live:privacy.sections.paidService.provider', source: 'GDPR, article 13(1)(e)' },
      {
        key: 'legal-live:privacy.sections.paidService.demonstration',
        source: 'None: true where no payment provider is set',
      },
      {
        key: 'legal-live:privacy.sections.serverLog.text',
        source: 'GDPR, articles 6(1)(f), 13(1)(c) and (d), and 32',
      },
      {
        key: 'legal-live:privacy.sections.cookies.text',
        source:
          'Article 82 of loi n° 78-17; § 25(2) no. 2 TDDDG; Directive 2002/58/EC, article 5(3)',
      },
      {
        key: 'legal-live:privacy.sections.recipients.text',
        source: 'GDPR, articles 13(1)(e) and 28',
      },
      {
        key: 'legal-live:privacy.sections.recipients.filingOurs',
        source: 'GDPR, article 13(1)(e); true where `filingEmail` is set',
      },
      {
        key: 'legal-live:privacy.sections.recipients.filingYours',
        source: 'GDPR, article 13(1)(e); true where `filingEmail` is null',
      },
      {
        key: 'legal-live:privacy.sections.recipients.provider',
        source: 'GDPR, articles 13(1)(e), 26 and 28',
      },
      {
        key: 'legal-live:privacy.sections.transfers.text',
        source: 'GDPR, articles 13(1)(f), 45, 46 and 49',
      },
      {
        key: 'legal-live:privacy.sections.transfers.provider',
        source: 'GDPR, articles 13(1)(f), 45 and 46; Decision (EU) 2023/1795',
      },
      {
        key: 'legal-live:privacy.sections.automatedDecisions.text',
        source: 'GDPR, articles 13(2)(f) and 22',
      },
      {
        key: 'legal-live:privacy.sections.retention.text',
        source: 'GDPR, articles 13(2)(a) and 18(1)(c); L. 123-22 C. com.',
      },
      {
        key: 'legal-live:privacy.sections.rights.text',
        source: 'GDPR, articles 13(2)(b) and (c), and 15 to 21; article 85 of loi n° 78-17',
      },
    ],
  },
];

type Tree = { [key: string]: string | Tree | undefined };

/** The document as its table and the locales make it. @throws if a key is in no locale */
export async function legalWordsDocument(): Promise<string> {
  const languages = readdirSync('locales').filter((name) => !name.startsWith('.'));
  const parts = PARTS.map(({ title, where, words }) =>
    [`## ${title}`, `${where}.`, ...words.map((one) => section(one, languages))].join('\n\n'),
  );
  const text = [INTRODUCTION, ...parts].join('\n\n');
  return formatted(FILE, text);
}

function section({ key, source }: Words, languages: string[]): string {
  const texts = languages.map((language) => {
    const lines = textOf(language, key).split('\n');
    return [`_${language}_`, lines.map((line) => `> ${escapeMarks(line)}`.trim()).join('\n')].join(
      '\n\n',
    );
  });
  return [`### \`${key}\``, `Source: ${source}.`, ...texts].join('\n\n');
}

/** Marks of ours in a text, which are none of the document's. */
const escapeMarks = (line: string) =>
  line.replaceAll('\u00ad', '').replace(/^### /, '').replaceAll(/[*_<]/g, '\\$&');

function textOf(language: string, key: string): string {
  const [namespace = '', path = ''] = key.split(':');
  const file = `locales/${language}/${namespace}.json`;
  const found = path
    .split('.')
    .reduce<string | Tree | undefined>(
      (tree, name) => (typeof tree === 'object' ? tree[name] : undefined),
      JSON.parse(readFileSync(file, 'utf8')) as Tree,
    );
  if (typeof found !== 'string') throw new Error(`${file} has no text ${path}`);
  return found;
}

const INTRODUCTION = `# Words of law

Every text of the order that a law asks for, or that binds whoever says it, in all languages, with the
place where it stands and the law that it comes from. It is for a lawyer to confirm in each country
served: **no lawyer has read it yet**. The texts are those of \`locales/\`; \`npm run docs:words\`
writes this file from them and from the table in \`scripts/legal-words-document.ts\`, and a test holds
the two together. \`{{…}}\` stands for what the [settings](settings.md) and today's facts say.

C. conso is the French Code de la consommation, C. civ. the Code civil, C. com. the Code de commerce;
BGB, EGBGB, UWG, VSBG and PAngV are German laws. Directive 2011/83/EU is meant as Directive (EU)
2023/2673 has changed it: since 19 June 2026 a contract that was concluded online can be withdrawn from
online (article 11a).

## What was checked, and how

On 23 November 2026, against copies of public pages, not against the official journals.

| text | checked against |
| --- | --- |
| French withdrawal function: the sentence of instruction 3 | décret n° 2026-3 of 5 January 2026, article 7, as juriblio.fr prints it: word for word |
| French labels « renoncer au contrat ici », « confirmer la rétractation » | D. 221-5 C. conso, as four law firms quote it; ordonnance n° 2026-2 of 5 January 2026, which changes L. 221-21 |
| German withdrawal function: the sentence of instruction 3 | Anlage 1 EGBGB as widerrufsbelehrung.de prints it (16 February 2026): word for word |
| German labels „Vertrag widerrufen“, „Widerruf bestätigen“ | § 356a BGB, as ds-quadrat.de sums it up; law of 3 February 2026 |
| German information on withdrawal | its first half against Anlage 1 EGBGB (state of 1 June 2024, deubner-steuern.de), the rest against sites that use it |
| English sentence of instruction 3 | two published sites that have the same words; the Official Journal was not at hand |
| L. 221-28, 1° C. conso | its text as livv.eu prints it |
| all other texts and article numbers | **not checked**: written from knowledge of the laws |

Where an official wording was changed:

- Instruction 3 asks where the withdrawal function is: we add, in brackets, the link's name after its
  address.
- The German model says „die Dienstleistungen … beginnen soll“, from which the alternatives for water,
  gas and heat are struck out: we write „sollen“.
- What the models say of delivery and of goods stands there as in the model, although nothing is
  delivered.

## Questions for the lawyer

1. Is the contract concluded with the order button, and may it lapse if nothing is paid (\`order\`)? French
   law wants the order acknowledged without delay (1127-2 C. civ.): is the payment page enough until the
   message that follows payment?
2. Is the choice "at once", not selected before, an express request and an acknowledgement (articles
   8(8), 16(a))? The sentence does not name the part to be paid after a withdrawal; the information on
   withdrawal does.
3. The cap on liability (\`liability\`, from the specification) is probably void towards consumers in France
   (R. 212-1, 6° C. conso) and in Germany (§§ 307 and 309 no. 7 BGB, where "wherever the law forbids it"
   does not save it). Should it go?
4. Is the service a digital one? Then the French terms need the notice on the legal guarantee in the
   words of a decree (n° 2022-946 of 29 June 2022), which is not in them.
5. The guarantee pays within 5 to 10 business days, a withdrawal within 14 days: both are promised, and
   with bank holidays the second can be the shorter one.
6. What counts as the moment at which the service is fully performed (\`performance\`), when the official
   fee is paid by the traveller, perhaps weeks later?
7. Stripe as processor and as controller, and the transfer to the United States: compare with the
   contract that the operator concludes.
8. Orders and withdrawals are kept for ten years, also withdrawals that no order was found for: is that
   too long for the latter?
9. The times of the packages were said to end with our check on the order page, with the entry in the
   official system on \`/services\`, and with "our work" in the terms. All of them now say: until the entry
   (\`performance\`). Is that the promise to make, when the entry needs the traveller's agreement?
10. The order page says that the law lets us deduct the work already done; the guarantee, while it is
    offered, gives all of it back. Is it enough that both stand on the same page?
11. "14 days from the day of your order" (\`order-withdrawal:rights\`) follows the model. The first of them is
    the day after, and the end is moved from a weekend to the Monday: should the page name the last day?
12. An answer that stays out ends the contract after \`answerDays\` with the price paid back
    (\`performance\`): is that what the law of each country lets the terms say, and is the refund in full?
13. May reminders of an unpaid application rest on a ticked box alone, and is a notice a week before
    deletion none of them (\`paidService\`)?
14. Parents and emergency contacts are named by the traveller: is it enough to ask the traveller to tell
    them (article 14(5)(b) GDPR)?`;
