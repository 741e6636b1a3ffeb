import { cvss, type CvssScore } from '@riskboard/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { CvssEditor } from './cvss-editor.tsx';
import type { CvssPending } from './use-cvss-versions.ts';
import { CvssExplained } from './cvss-explained.tsx';

useServer();

const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

function Form({ start, error }: { start: string; error?: string }) {
  const [value, setValue] = useState(start);
  const [pending, setPending] = useState<CvssPending>();
  const [score, setScore] = useState<number>();
  return (
    <>
      <CvssEditor
        value={value}
        onChange={setValue}
        onPending={setPending}
        onScore={setScore}
        aside={<span>Beside the score</span>}
        error={error}
      />
      <span data-testid="value">{value}</span>
      <span data-testid="pending">{JSON.stringify(pending)}</span>
      <span data-testid="score">{score}</span>
    </>
  );
}

const scoresOf = (vector: string, change: Partial<CvssScore> = {}): CvssScore => ({
  version: '3.1',
  score: 9.8,
  severity: 'Critical',
  vector,
  parts: {},
  ...change,
});

/** Renders the editor with an api that scores from a table. Returns the requested vectors. */
function edit(start = '', change: { scores?: Record<string, number>; error?: string } = {}) {
  const requested: string[] = [];
  server.use(
    answer(cvss.score, async ({ request }) => {
      const { vector } = (await request.json()) as { vector: string };
      requested.push(vector);
      const score = change.scores?.[vector] ?? 9.8;
      return scoresOf(vector, { score, parts: { base: 9.8, impact: 5.9 } });
    }),
  );
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const { error } = change;
  render(
    <QueryClientProvider client={client}>
      <Form start={start} {...(error === undefined ? {} : { error })} />
    </QueryClientProvider>,
  );
  return { requested, user: userEvent.setup() };
}

const value = () => screen.getByTestId('value').textContent;
const metric = (name: RegExp) => screen.getByRole('radiogroup', { name });
const pick = (name: RegExp, word: string) => within(metric(name)).getByRole('radio', { name: word });
const box = () => screen.getByRole('textbox', { name: 'CVSS vector' });
const score = () => screen.getByRole('status', { name: 'CVSS score' });
const chosen = (name: RegExp) =>
  within(metric(name))
    .queryAllByRole('radio', { checked: true })
    .map((radio) => radio.getAttribute('aria-label'));

describe('choosing CVSS metrics', () => {
  test('builds the vector metric by metric, and scores it when it is complete', async () => {
    const { user, requested } = edit();
    expect(score().textContent).toBe('Choose the base metrics, or paste a vector.');
    await user.click(pick(/^Availability A$/u, 'High'));
    await user.click(pick(/^Attack Vector/u, 'Network'));
    expect(value()).toBe('CVSS:3.1/AV:N/A:H');
    expect(score().textContent).toBe('6 of 8 base metrics left.');
    expect(box().getAttribute('aria-invalid')).not.toBe('true');
    for (const [name, word] of [
      [/^Attack Complexity/u, 'Low'],
      [/^Privileges Required/u, 'None'],
      [/^User Interaction/u, 'None'],
      [/^Scope/u, 'Unchanged'],
      [/^Confidentiality C$/u, 'High'],
      [/^Integrity I$/u, 'High'],
    ] as const) {
      await user.click(pick(name, word));
    }
    expect(value()).toBe(v31);
    await waitFor(() => expect(score().textContent).toBe('9.8 CriticalBase 9.8Impact 5.9'));
    expect(requested).toEqual([v31]);
  });

  test('works by keyboard: arrow keys choose values', async () => {
    const { user } = edit();
    pick(/^Attack Vector/u, 'Network').focus();
    await user.keyboard('{ArrowRight}');
    expect(chosen(/^Attack Vector/u)).toEqual(['Adjacent']);
    expect(value()).toBe('CVSS:3.1/AV:A');
  });

  test('describes the chosen value', async () => {
    const { user } = edit();
    await user.click(pick(/^Attack Vector/u, 'Physical'));
    const describedBy = metric(/^Attack Vector/u).getAttribute('aria-describedby') ?? '';
    expect(document.querySelector(`[id="${describedBy}"]`)?.textContent).toContain(
      'The attacker needs physical access to the device.',
    );
  });
});

describe('optional CVSS metrics', () => {
  test('are collapsed, show how many are set, and leave the vector when set to "Not Defined"', async () => {
    const { user } = edit(v31);
    expect(screen.queryByRole('radiogroup', { name: /^Exploit Code Maturity/u })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Temporal metrics optional' }));
    expect(chosen(/^Exploit Code Maturity/u)).toEqual(['Not Defined']);
    await user.click(pick(/^Exploit Code Maturity/u, 'Functional'));
    expect(value()).toBe(`${v31}/E:F`);
    expect(screen.getByRole('button', { name: 'Temporal metrics 1 stated' })).toBeDefined();
    await user.click(pick(/^Exploit Code Maturity/u, 'Not Defined'));
    expect(value()).toBe(v31);
  });

  test('are expanded when the vector sets some; the record keeps the base score', async () => {
    const vector = `${v31}/E:P/RL:O/RC:C`;
    edit(vector, { scores: { [vector]: 8.8 } });
    expect(chosen(/^Remediation Level/u)).toEqual(['Official Fix']);
    await waitFor(() => expect(score().textContent).toContain('The record uses the base score.'));
  });
});

describe('pasting a CVSS vector', () => {
  test.each([
    ['v2 in parentheses', '(AV:N/AC:L/Au:N/C:P/I:N/A:N)', 'v2', 'AV:N/AC:L/Au:N/C:P/I:N/A:N'],
    ['any order', 'CVSS:3.1/A:H/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H', 'v3.1', v31],
    [
      'v4.0',
      'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
      'v4.0',
      'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    ],
  ])(
    '%s: selects its version, and leaving the field makes it canonical',
    async (_, text, version, vector) => {
      const { user } = edit();
      await user.click(box());
      await user.paste(text);
      expect(screen.getByRole('radio', { name: version, checked: true })).toBeDefined();
      expect(chosen(/^A(?:ttack|ccess) Vector/u)).toEqual(['Network']);
      await user.tab();
      expect(value()).toBe(vector);
    },
  );

  test.each([
    [`${v31}/ZZ:1`, 'Unknown CVSS metric "ZZ".'],
    [`${v31}/AV:N`, 'Duplicate metric: AV.'],
    ['CVSS:3.2/AV:N', 'Unknown CVSS prefix in "CVSS:3.2/AV:N".'],
    [v31.replace('AV:N', 'AV:Q'), 'The CVSS metric AV has the unknown value "Q".'],
  ])('the problem of %s is named', async (text, message) => {
    const { user, requested } = edit();
    await user.click(box());
    await user.paste(text);
    expect(screen.getByText(message)).toBeDefined();
    expect(box().getAttribute('aria-invalid')).toBe('true');
    expect(value()).toBe(text);
    expect(score().textContent).toBe('No score: the vector is invalid.');
    expect(requested).toEqual([]);
  });

  test('the message of the server is shown at the field', () => {
    edit(v31, { error: 'Not this one.' });
    expect(screen.getByText('Not this one.')).toBeDefined();
  });
});

describe('CVSS versions', () => {
  const switchTo = async (user: UserEvent, version: string) =>
    user.click(screen.getByRole('radio', { name: version }));
  const pending = (): unknown => JSON.parse(screen.getByTestId('pending').textContent);
  const free = { isUnsaved: false };
  const vectorBox = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'CVSS vector' });

  test('switching back restores the metrics of each version exactly, optional ones too', async () => {
    const vector = `${v31}/E:P/RL:O/MAV:L`;
    const { user } = edit(vector);
    await switchTo(user, 'v4.0');
    await user.click(pick(/^Attack Requirements/u, 'Present'));
    const own = value();
    await switchTo(user, 'v3.1');
    expect(value()).toBe(vector);
    expect(chosen(/^Remediation Level/u)).toEqual(['Official Fix']);
    await switchTo(user, 'v2');
    await switchTo(user, 'v4.0');
    expect(value()).toBe(own);
    await switchTo(user, 'v3.1');
    expect(value()).toBe(vector);
  });

  test('a version without own metrics starts with what carries over, marked until it is confirmed', async () => {
    const { user } = edit(v31);
    await switchTo(user, 'v4.0');
    expect(value()).toBe('CVSS:4.0/AV:N/AC:L/PR:N/UI:N/VC:H/VI:H/VA:H');
    expect(screen.getByText('7 metrics carried over from v3.1. Check them before you save.')).toBeDefined();
    expect(
      within(metric(/^Attack Vector/u).parentElement ?? document.body).getByText(/^Carried over/u),
    ).toBeDefined();
    // Choosing the carried value again confirms it; another value replaces it.
    await user.click(pick(/^Attack Vector/u, 'Network'));
    await user.click(pick(/^Attack Complexity/u, 'High'));
    expect(value()).toBe('CVSS:4.0/AV:N/AC:H/PR:N/UI:N/VC:H/VI:H/VA:H');
    expect(screen.getByText('5 metrics carried over from v3.1. Check them before you save.')).toBeDefined();
    expect(pending()).toEqual({ ...free, blockedBy: 'Confirm the metrics carried over from v3.1.' });
    await user.click(screen.getByRole('button', { name: 'Confirm carried metrics' }));
    expect(screen.queryByText(/carried over/iu)).toBeNull();
    expect(pending()).toEqual(free);
  });

  test('metrics that were only carried over follow a change in the version they came from', async () => {
    const { user } = edit(v31);
    await switchTo(user, 'v4.0');
    await switchTo(user, 'v3.1');
    expect(pending()).toEqual(free);
    await user.click(pick(/^Attack Vector/u, 'Physical'));
    await switchTo(user, 'v4.0');
    expect(value()).toMatch(/^CVSS:4\.0\/AV:P\//u);
    // Past a version that knows less, the version with own metrics is still the source.
    await switchTo(user, 'v2');
    await switchTo(user, 'v3.0');
    expect(value()).toBe(v31.replace('3.1/AV:N', '3.0/AV:P'));
  });

  test('an empty version never replaces the vector of another one unless the user clears it', async () => {
    const { user } = edit('CVSS:3.1/AV:P/AC:H');
    await switchTo(user, 'v2');
    expect(value()).toBe('');
    expect(pending()).toEqual({
      isUnsaved: false,
      blockedBy: 'No v2 metrics chosen. Choose them, return to v3.1, or clear the vector.',
    });
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(pending()).toEqual(free);
    expect(screen.getByRole('radio', { name: 'v2', checked: true })).toBeDefined();
    await switchTo(user, 'v3.1');
    expect(value()).toBe('CVSS:3.1/AV:P/AC:H');
  });

  test('metrics that were entered in another version count as unsaved input', async () => {
    const { user } = edit();
    await user.click(pick(/^Attack Vector/u, 'Local'));
    await switchTo(user, 'v2');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(value()).toBe('');
    expect(pending()).toEqual({ isUnsaved: true });
  });

  test('a pasted vector of another version switches to it, and the first version keeps its metrics', async () => {
    const { user } = edit(v31);
    const v40 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
    await user.click(vectorBox());
    vectorBox().setSelectionRange(0, vectorBox().value.length);
    await user.paste(v40);
    expect(value()).toBe(v40);
    expect(screen.getByRole('radio', { name: 'v4.0', checked: true })).toBeDefined();
    expect(pending()).toEqual({ isUnsaved: false });
    await switchTo(user, 'v3.1');
    expect(value()).toBe(v31);
  });

  test('a pasted vector confirms the metrics that were carried over', async () => {
    const { user } = edit(v31);
    await switchTo(user, 'v3.0');
    expect(pending()).toMatchObject({ blockedBy: 'Confirm the metrics carried over from v3.1.' });
    await user.click(vectorBox());
    vectorBox().setSelectionRange(0, vectorBox().value.length);
    await user.paste(v31.replace('3.1', '3.0').replace('A:H', 'A:L'));
    expect(pending()).toEqual(free);
  });

  test('reports the base score of a complete vector only when nothing carried over is unconfirmed', async () => {
    const { user } = edit(v31);
    const reported = () => screen.getByTestId('score').textContent;
    await waitFor(() => expect(reported()).toBe('9.8'));
    await switchTo(user, 'v3.0');
    await waitFor(() => expect(score().textContent).toContain('9.8 Critical'));
    await user.click(pick(/^Attack Vector/u, 'Local'));
    await waitFor(() => expect(score().querySelector('[aria-busy]')).toBeNull());
    expect(screen.queryByText('Beside the score')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Confirm carried metrics' }));
    await screen.findByText('Beside the score');
  });
});

describe('the live CVSS score', () => {
  test('shows the latest request’s score, even if an earlier answer arrives later', async () => {
    let release = () => {};
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    const scores: Readonly<Record<string, number>> = { 'A:H': 3.3, 'A:L': 1.1, 'A:N': 2.2 };
    const started: string[] = [];
    const { user } = edit(v31);
    server.use(
      answer(cvss.score, async ({ request }) => {
        const { vector } = (await request.json()) as { vector: string };
        started.push(vector.slice(-3));
        if (vector.endsWith('A:L')) await late;
        return scoresOf(vector, { score: scores[vector.slice(-3)] ?? 0, severity: 'Low' });
      }),
    );
    await user.click(pick(/^Availability A$/u, 'Low'));
    await waitFor(() => expect(started).toContain('A:L'));
    await user.click(pick(/^Availability A$/u, 'None'));
    await waitFor(() => expect(score().textContent).toBe('2.2 Low'));
    release();
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect(score().textContent).toBe('2.2 Low');
  });

  test('shows a failure and can be requested again', async () => {
    let broken = true;
    const { user } = edit();
    server.use(answer(cvss.score, () => (broken ? refusal('unavailable', 'Away.') : scoresOf(v31))));
    await user.click(box());
    await user.paste(v31);
    await waitFor(() => expect(score().textContent).toContain('No score: Away.'));
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(score().textContent).toBe('9.8 Critical'));
  });
});

describe('the explanation of a CVSS vector', () => {
  const groups = () => screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'));

  test('describes each metric in words and shows its weight without relying on color', () => {
    render(<CvssExplained vector={`${v31}/E:U/MAV:X`} />);
    expect(groups()).toEqual(['Base metrics', 'Temporal metrics', 'Environmental metrics']);
    const [first] = within(screen.getByRole('region', { name: 'Base metrics' })).getAllByRole('definition');
    expect(first?.textContent).toBe('Networkweight 3 of 3Exploitable remotely, including over the internet.');
    const environmental = screen.getByRole('region', { name: 'Environmental metrics' });
    // Metrics that are spelled out as not defined are combined in one line.
    expect(within(environmental).queryByRole('term')).toBeNull();
    expect(within(environmental).getByText('Not defined: Modified Attack Vector.')).toBeDefined();
  });

  test('shows an invalid vector unchanged with its problem; shows nothing without a vector', () => {
    const { rerender, container } = render(<CvssExplained vector="CVSS:3.1/AV:N" />);
    expect(screen.getByText('CVSS:3.1/AV:N')).toBeDefined();
    expect(screen.getByText('Missing metric: AC.')).toBeDefined();
    rerender(<CvssExplained vector=" " />);
    expect(container.textContent).toBe('');
  });
});
