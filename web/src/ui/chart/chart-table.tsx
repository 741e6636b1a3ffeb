interface ChartTableProps {
  /** Name of the chart. */
  label: string;
  /** Heads; the first one names the points. */
  columns: readonly string[];
  rows: readonly { readonly name: string; readonly texts: readonly string[] }[];
}

/** The data of a chart as a table. */
export function ChartTable({ label, columns, rows }: ChartTableProps) {
  const [first, ...others] = columns;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
    <section className="max-h-80 overflow-auto" tabIndex={0} aria-label={`${label}: table`}>
      <table aria-label={label} className="w-full text-sm">
        <thead className="text-left text-xs text-muted">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              {first}
            </th>
            {others.map((column) => (
              <th key={column} scope="col" className="px-4 py-2 text-right font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, texts }, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- two points may have one name
            <tr key={n} className="border-t">
              <th scope="row" className="px-4 py-1.5 text-left font-normal">
                {name}
              </th>
              {others.map((column, at) => (
                <td key={column} className="px-4 py-1.5 text-right tabular-nums">
                  {texts[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
