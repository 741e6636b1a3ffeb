import { CopyButton } from '../button/copy-button.tsx';

interface CodeBlockProps {
  /** Name of the content, such as 'Token'. */
  label: string;
  /** One click selects the whole text. */
  text: string;
  copyLabel?: string;
}

/** A text to copy, such as a token, a link or a command. */
export function CodeBlock({ label, text, copyLabel }: CodeBlockProps) {
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-sm font-medium">{label}</figcaption>
      <div className="flex flex-wrap items-start justify-end gap-2 rounded border bg-sunken p-2">
        <code className="min-w-48 grow basis-0 self-center px-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap select-all">
          {text}
        </code>
        <CopyButton text={text} size="sm" {...(copyLabel !== undefined && { label: copyLabel })} />
      </div>
    </figure>
  );
}
