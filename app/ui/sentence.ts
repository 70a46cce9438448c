/** A title that text follows on the same line; one that is a question has its mark already. */
export const asSentence = (title: string): string => (/[.!?…]$/.test(title) ? title : `${title}.`);

/** The label of a field before what is said of it; `named` puts the language's colon after it. */
export const leading = (label: string, named: (label: string) => string): string =>
  /[.!?…]$/.test(label) ? label : named(label);
