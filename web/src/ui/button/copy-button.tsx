import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../lib/browser/copy-text.ts';
import { Button, type ButtonProps } from './button.tsx';
import { toast } from '../feedback/toast.ts';

interface CopyButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  text: string;
  /** Name of the button, such as 'Copy link'. */
  label?: string;
}

/** Milliseconds for which the button shows that it has copied. */
const saysFor = 2000;

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label = 'Copy', size, variant }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), saysFor);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyText(text)) return setCopied(true);
    toast.error('Copy failed', 'The browser blocked it. Select the text and copy it manually.');
  }

  const Icon = copied ? Check : Copy;
  return (
    <>
      <Button size={size} variant={variant} icon={<Icon aria-hidden size={14} />} onClick={() => void copy()}>
        {copied ? 'Copied' : label}
      </Button>
      <output className="sr-only">{copied && 'Copied'}</output>
    </>
  );
}
