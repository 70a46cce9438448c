import type { Picture } from '../domain/application/requests';
import type { TravellerState } from '../domain/application/stations';
import type { StepNumber } from '../domain/application/steps';

interface Asked {
  name: string;
  id: string;
  label: string;
  /** Of a long question, by which the summary of errors names it. */
  number?: string | undefined;
  /** The language of its texts, where it is not the page's. */
  language?: string | undefined;
  hint?: string | undefined;
  isOptional?: true | undefined;
  isRequired?: true | undefined;
  error?: string | undefined;
  warnings?: NoteView[] | undefined;
  elsewhere?: string | undefined;
  /** That it is as the printed lines have it, or how they do. */
  printed?: string | undefined;
  hasFocus?: true | undefined;
}

export type NoteView = { title: string; text: string; doubt?: DoubtView | undefined };

export interface DoubtView {
  field: string;
  typed: string;
  meant: string;
  /** Where the two differ, of a number that is shown character by character. */
  marked?: number[] | undefined;
  keep: string;
}

export interface InputAttributes {
  type: 'text' | 'email' | 'tel';
  inputMode?: 'numeric' | 'email' | 'tel' | undefined;
  autoComplete?: string | undefined;
  autoCapitalize?: string | undefined;
  spellCheck?: false | undefined;
  maxLength?: number | undefined;
  /** Numbers of documents: each character in a cell of its own width. */
  isMachine?: true | undefined;
}

export interface TextView extends Asked {
  kind: 'text' | 'area';
  value: string;
  attributes: InputAttributes;
  sentAs?: string | undefined;
}

export interface DateView extends Asked {
  kind: 'date';
  parts: {
    name: string;
    id: string;
    label: string;
    value: string;
    autoComplete: string | undefined;
    isYear: boolean;
    isMonth: boolean;
  }[];
}

export interface ChoiceView extends Asked {
  kind: 'choice';
  value: string;
  options: [value: string, label: string][];
  /** The answer that is explained while it is chosen, and what is said then. */
  explained?: { value: string; title: string; texts: string[] } | undefined;
}

export interface ListView extends Asked {
  kind: 'list';
  value: string;
  /** The key of its options (`app/ui/option-lists.ts`). */
  list: string;
  autoComplete: string | undefined;
}

export interface BoxView extends Asked {
  kind: 'box';
  isChecked: boolean;
}

export interface RowsView {
  kind: 'rows';
  name: string;
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  elsewhere?: string | undefined;
  rows: { legend: string; nodes: NodeView[]; remove: string; removeLabel: string }[];
  /** What the button says that adds one; none: there is no room for more. */
  addLabel: string | undefined;
}

export type BranchView = { kind: 'branch'; nodes: NodeView[] };

/** Fields that are asked if the branch's first field has an answer. */
export type DependentView = { kind: 'dependent'; answer: string; nodes: NodeView[] };

export type FieldView = TextView | DateView | ChoiceView | ListView | BoxView;
export type NodeView = FieldView | RowsView | BranchView | DependentView;

export interface ApplicationInHand {
  id: string;
  reference: string;
  /** `browser`: without an account, and so closed on this device by a button. */
  owner: 'browser' | 'account';
}

export interface FrameView {
  step: number;
  steps: { title: string; state: 'done' | 'now' | 'ahead'; href?: string | undefined }[];
}

export interface StepProblem {
  title: string;
  text: string;
  items?: { id: string; label: string; text: string }[] | undefined;
  ways?: { href: string; label: string }[] | undefined;
  after?: string | undefined;
}

export interface StepView {
  frame: FrameView;
  title: string;
  lead: string;
  problem?: StepProblem | undefined;
  before?: { title: string; notes: (NoteView & { label: string })[]; href: string } | undefined;
  hidden: [name: string, value: string][];
  nodes: NodeView[];
  showsLines: boolean;
  /** Where a passport fills the form. */
  reader?: string | undefined;
  photo?: string | undefined;
  back?: string | undefined;
}

export interface OfficialValue {
  text: string;
  /** Of an answer that the official form asks for in several fields. */
  part?: 'day' | 'month' | 'year' | 'callingCode' | 'phoneNumber';
}

export interface ApplicationTicketView {
  id: string;
  reference: string;
  state: TravellerState;
  /** `status`: neither the name nor what leads to the answers. */
  level: 'answers' | 'status';
  owner: 'account' | 'browser';
  name?: string;
  citizenship?: string;
  travelOn?: string;
  begunOn: string;
  savedOn: string;
  certifiedOn?: string;
  /** While it is checked: by when that is done; `paused` while it waits for its traveller. */
  due?: { by: string } | 'paused';
  asks?: 'answer' | Picture;
  validUntil?: string;
  payBy?: string;
  filedOn?: string;
  /** Of an unpaid one: when it is deleted unless its owner goes on with it. */
  endsOn?: string;
  openStep?: StepNumber;
  hasAnswers: boolean;
}
