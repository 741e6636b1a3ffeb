/** A weakness or category as stored; the names of related ones are added when it is read. */
export interface CweData {
  Name: string;
  Abstraction: string;
  Structure: string;
  Status: string;
  Description: string;
  Likelihood: string;
  Weaknesses: { ID: string; Nature: string }[];
  Consequences: { Scope: string[]; Impact: string[]; Note: string }[];
}

export interface CweEntry {
  /** Digits, 1 or more. */
  id: number;
  data: CweData;
}
