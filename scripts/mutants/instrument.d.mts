export type Mutant = {
  readonly id: number
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
}
export declare const instrument: (
  file: string,
  source: string,
  firstId?: number,
) => { code: string; mutants: Mutant[] }
