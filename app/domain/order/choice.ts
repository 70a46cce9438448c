import type { Period } from '../day-period';
import type { Form, Problem } from '../form';
import { type Cents, type Currency, type Package, PACKAGES } from '../offer';
import { type Delivery, deliveryFrom, mayStartLater } from './deadlines';
import { START_CHOICES, type StartChoice } from './states';

/** What the order page asks. Nothing in it is ever filled in or ticked beforehand. */
export const ORDER_FORM = [
  { name: 'package', type: 'radio', required: true, options: PACKAGES },
  { name: 'start_choice', type: 'radio', required: true, options: START_CHOICES },
  {
    name: 'not_government_acknowledged',
    type: 'checkbox',
    required: true,
    options: ['yes'],
    must_be_true: true,
  },
  { name: 'terms', type: 'checkbox', required: true, options: ['yes'], must_be_true: true },
] as const satisfies Form;

export type OrderField = (typeof ORDER_FORM)[number]['name'];

export type PackageOffer = { name: Package; now: Delivery; later?: Delivery };

export interface OrderTime {
  /** From when our work counts: now, as if it were paid at once. */
  at: Date;
  today: string;
  travelDate: string | null;
  closed: readonly Period[];
}

export function packageOffers(hours: Readonly<Record<Package, number>>, time: OrderTime) {
  const { at, closed } = time;
  return PACKAGES.map((name) => {
    const now = deliveryFrom(at, 'now', hours[name], closed);
    const later = deliveryFrom(at, 'after_14_days', hours[name], closed);
    return mayStartLater(name, later, time) ? { name, now, later } : { name, now };
  });
}

export type Chosen = Partial<Record<OrderField, string | undefined>>;

export function orderProblems(chosen: Chosen, offers: readonly PackageOffer[]) {
  const start = startProblem(chosen, offers);
  return start ? { start_choice: start } : {};
}

function startProblem(chosen: Chosen, offers: readonly PackageOffer[]): Problem | undefined {
  if (chosen.start_choice !== ('after_14_days' satisfies StartChoice)) return undefined;
  if (!offers.some(({ later }) => later)) return 'tooLate';
  const offer = offers.find(({ name }) => name === chosen.package);
  return offer && !offer.later ? 'standardOnly' : undefined;
}

export function arrivalFor(answerDay: string, travelDate: string | null) {
  if (travelDate === null) return 'unknown';
  return answerDay < travelDate ? 'before' : 'after';
}

export interface Offered {
  language: string;
  currency: Currency;
  cents: Readonly<Record<Package, Cents>>;
  hours: Readonly<Record<Package, number>>;
  vatRate: number;
}

/** Nobody orders at a price, or in a currency, that they have not seen. */
export function offerCode({ language, currency, cents, hours, vatRate }: Offered): string {
  const each = PACKAGES.map((name) => `${cents[name]}/${hours[name]}`);
  return [language, currency, ...each, vatRate].join(' ');
}
