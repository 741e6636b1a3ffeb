import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { CalculatorPage } from './calculator-page.tsx';

const application =
  '(TI:H,0.9/AP:A,1.0/AL:A,1.0/IC:N,1.0/FC:T,1.0/RP:L,0.9/RL:A,1.0/AV:I,1.0/AS:N,1.0/IN:T,0.9/SC:A,1.0/BI:C,1.0/DI:H,1.0/EX:H,1.0/EC:N,1.0/P:NA,1.0)';

function Page({ start }: { start?: string }) {
  const [vector, setVector] = useState<string | undefined>(start);
  return (
    <>
      <CalculatorPage vector={vector} onVector={setVector} linkOf={(text) => `https://r/${text}`} />
      <span data-testid="address">{vector}</span>
    </>
  );
}

const score = () => screen.getByRole('status', { name: 'CWSS score' }).textContent;
const address = () => screen.getByTestId('address').textContent;
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Vector or link of a calculator' });

describe('the CWSS calculator', () => {
  test('starts with the defaults and says how many factors are not set', () => {
    render(<Page />);
    expect(score()).toBe('12.1of 100');
    expect(
      screen.getByText('16 of 16 factors are default or unknown: the score is incomplete.'),
    ).toBeDefined();
    expect(screen.getAllByRole('combobox')).toHaveLength(16);
  });

  test('shows the score, its parts and what would change it most', () => {
    render(<Page start={application} />);
    expect(score()).toBe('92.6of 100');
    const card = within(screen.getByRole('region', { name: 'Score' }));
    for (const part of ['96', '0.965', '1', '92.64']) expect(card.getByText(part)).toBeDefined();
    expect(card.getByText('Every factor is set.')).toBeDefined();
    expect(card.getAllByRole('listitem')).toHaveLength(5);
    expect(card.getAllByRole('listitem')[0]?.textContent).toMatch(/0\.0 \((?:None|Complete)\)/u);
  });

  test('shows the parts with all decimals', () => {
    render(
      <Page start={application.replace('RP:L,0.9', 'RP:Q,0.0001').replace('IC:N,1.0', 'IC:Q,0.7501')} />,
    );
    const card = within(screen.getByRole('region', { name: 'Score' }));
    for (const part of ['72.0096', '0.78502', '56.528976192']) expect(card.getByText(part)).toBeDefined();
  });

  test('shows the label of a quantified value', () => {
    // Every value of RP has a higher weight.
    render(<Page start={application.replace('RP:L,0.9', 'RP:Q,0.0001')} />);
    expect(within(screen.getByRole('region', { name: 'Score' })).getByText('(Quantified)')).toBeDefined();
  });

  test('a chosen value changes the score and the address', async () => {
    const user = userEvent.setup();
    render(<Page start={application} />);
    await user.click(screen.getByRole('combobox', { name: 'Business Impact' }));
    await user.click(await screen.findByRole('option', { name: 'None (0.0)' }));
    expect(score()).toBe('0.0of 100');
    expect(address()).toBe(application.replace('BI:C,1.0', 'BI:N,0.0'));
  });

  test('a quantified factor has a weight of its own, and an invalid one is not used', async () => {
    const user = userEvent.setup();
    render(<Page start={application.replace('TI:H,0.9', 'TI:Q,0.9')} />);
    const weight = () => screen.getByRole('textbox', { name: 'Weight of Technical Impact' });
    await user.clear(weight());
    await user.type(weight(), '1.5');
    await user.tab();
    expect(weight().getAttribute('aria-invalid')).toBe('true');
    expect(score()).toBe('92.6of 100');
    await user.clear(weight());
    await user.type(weight(), '0.75{Enter}');
    expect(score()).toBe('86.9of 100');
    expect(address()).toContain('TI:Q,0.75');
  });

  test('a pasted link is written canonically, and what was ignored in it is named', async () => {
    const user = userEvent.setup();
    render(<Page />);
    await user.click(field());
    await user.paste(`https://example.org/#${application.slice(1, -1).replace('BI:C,1.0', 'BI:C,0.9')}/`);
    expect(address()).toBe(application);
    expect(field().value).toBe(application);
    expect(screen.getByText(/^BI:C has the weight 1\.0/u)).toBeDefined();
  });

  test('a vector is also read when it is typed and confirmed with Enter, and the focus stays in the field', async () => {
    const user = userEvent.setup({ delay: null });
    render(<Page />);
    await user.click(field());
    await user.paste(application.slice(0, 40));
    await user.paste(application.slice(40));
    await user.keyboard('{Enter}');
    expect(address()).toBe(application);
    expect(score()).toBe('92.6of 100');
    expect(document.activeElement).toBe(field());
  });

  test('Reset restores the defaults and an empty address', async () => {
    const user = userEvent.setup();
    render(<Page start={application} />);
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(score()).toBe('12.1of 100');
    expect(address()).toBe('');
    expect(field().value).toBe('');
    expect(screen.getByRole('button', { name: 'Reset' }).getAttribute('aria-disabled')).toBe('true');
  });

  test('an invalid vector is refused by factor and value, and the score stays', async () => {
    const user = userEvent.setup();
    render(<Page start={application} />);
    await user.clear(field());
    await user.paste(application.replace('AS:N,1.0', 'AS:L'));
    await user.tab();
    expect(screen.getByText(/AS \(Authentication Strength\) has no value "L"/u)).toBeDefined();
    expect(score()).toBe('92.6of 100');
  });

  test('an address with an invalid vector shows the reason and the defaults', () => {
    render(<Page start="TI:H" />);
    expect(screen.getByText(/^Missing factors: AP, AL/u)).toBeDefined();
    expect(score()).toBe('12.1of 100');
  });
});
