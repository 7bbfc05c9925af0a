export type Violation = { from: string; to: string; rule: string }

export declare const findViolations: (
  root: string,
  known?: readonly (readonly string[])[],
) => Promise<Violation[]>
