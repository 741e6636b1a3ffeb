import { linkStyle } from '../../../ui/button/link-style.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { verifySample } from './verify-sample.ts';

/** How a receiver verifies that a message is from Riskboard. */
export function VerifyCard() {
  return (
    <Card title="Verify the signature">
      <div className="flex flex-col gap-3 p-4">
        <p className="text-muted">
          Messages follow{' '}
          <a
            href="https://www.standardwebhooks.com"
            target="_blank"
            rel="noopener noreferrer"
            className={linkStyle}
          >
            Standard Webhooks
          </a>
          : the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
          <code>webhook-signature</code> prove that a message is from Riskboard and unchanged. A repeated
          message has the same <code>webhook-id</code>. Reply with a 2xx status within 10 seconds; other
          replies are retried for about a day.
        </p>
        <CodeBlock label="Example for Node.js" text={verifySample} copyLabel="Copy example" />
      </div>
    </Card>
  );
}
