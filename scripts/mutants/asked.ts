/** Which mutants each test is to try, by the id of the test. */
export type Plan = Readonly<Record<string, readonly number[]>>
/** What a run is asked to do: `in-the-test.ts` says what each of the three is. */
export type Ask = { readonly timeoutMs: number } & (
  | { readonly mode: 'look' }
  | { readonly mode: 'try'; readonly plan: Plan }
  | { readonly mode: 'from-the-start'; readonly mutant: number }
)
/** What became of the mutants of a file. `active` is the one at which a run was killed. */
export type Outcome = {
  readonly noticed: readonly number[]
  readonly notMet: readonly number[]
  readonly left: Plan
  readonly isClean: boolean
  readonly active?: number
}

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: a module is augmented by interfaces alone.
  interface ProvidedContext {
    readonly mutants: Ask & { readonly progress: string }
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: as above.
  interface TaskMeta {
    /** Of a test: the mutants that it meets. */
    mutants?: readonly number[]
    /** Of a file. */
    outcome?: Outcome & { readonly metOutside: readonly number[] }
  }
}
