interface Asked {
  name: string;
  id: string;
  label: string;
  /** Of a long question, by which the summary of errors names it. */
  number?: string | undefined;
  language?: string | undefined;
  hint?: string | undefined;
  more?: { title: string; text: string } | undefined;
  size?: 'code' | 'country' | 'name' | undefined;
  isOptional?: true | undefined;
  isRequired?: true | undefined;
  error?: string | undefined;
  warnings?: NoteView[] | undefined;
  elsewhere?: string | undefined;
  printed?: string | undefined;
  hasFocus?: true | undefined;
}

export type NoteView = { title: string; text: string; doubt?: DoubtView | undefined };

export interface DoubtView {
  field: string;
  typed: string;
  meant?: string | undefined;
  /** Where the two differ, of a number that is shown character by character. */
  marked?: number[] | undefined;
  keep: string;
  /** Where several are kept by the same words. */
  about?: string | undefined;
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
  /** What is written of an answer that is not known, and the sentence that says so. */
  unknown?: { value: string; text: string } | undefined;
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
  options: (readonly [value: string, label: string])[];
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

export interface RowsView extends Pick<
  Asked,
  'name' | 'id' | 'label' | 'hint' | 'more' | 'error' | 'elsewhere'
> {
  kind: 'rows';
  rows: { legend: string; nodes: NodeView[]; remove: string; removeLabel: string }[];
  addLabel: string | undefined;
}

export interface BranchView {
  kind: 'branch';
  nodes: NodeView[];
  fold?: { title: string; isOpen: boolean };
  heading?: string;
}

export type DependentView = { kind: 'dependent'; answer: string; nodes: NodeView[] };

export type FieldView = TextView | DateView | ChoiceView | ListView | BoxView;
export type NodeView = FieldView | RowsView | BranchView | DependentView;

export interface FrameView {
  step: number;
  steps: { title: string; state: 'done' | 'now' | 'ahead'; href?: string | undefined }[];
}

export interface FocusView {
  frame?: FrameView | undefined;
  name?: string | undefined;
  leave?: string | undefined;
}

export interface StepProblem {
  title: string;
  text: string;
  items?: { id: string; label: string; text: string }[] | undefined;
  ways?: { href: string; label: string }[] | undefined;
  after?: string | undefined;
}

export type OfficialValue = { text: string; part?: 'phoneNumber'; isChosen?: true };
