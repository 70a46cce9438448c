export function PageHeading({ title, lead }: { title: string; lead: string }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        {title}
      </h1>
      <p className="lead mt-3">{lead}</p>
    </>
  );
}
