/** The main heading of a page with its introduction. */
export function PageHeading({ title, lead }: { title: string; lead: string }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        {title}
      </h1>
      <p className="mt-4 max-w-[60ch] text-lg sm:text-xl">{lead}</p>
    </>
  );
}
