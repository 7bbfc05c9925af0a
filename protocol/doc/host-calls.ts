/** Host calls of capabilities, collected from their modules. */
import type { Schema } from '../channel/contract.ts'
import type { CallDoc } from '../channel/doc.ts'
import * as modules from '../host/capabilities.ts'
import { snakeCase } from '../names/naming.ts'
import type { HostCallRows } from '../rows/host-call.ts'

type Modules = typeof modules
type Capability = keyof { [Name in keyof Modules as Name extends `${infer Stem}Calls` ? Stem : never]: true }
type CallsOf<Name extends Capability> = keyof Modules[`${Name}Calls`]

/** Does not compile if a call lacks its answer or description. */
type Complete = { [Name in Capability as `${Name}Calls`]: HostCallRows } & {
  [Name in Capability as `${Name}Answers`]: Readonly<Record<CallsOf<Name>, Schema>>
} & { [Name in Capability as `${Name}Doc`]: Readonly<Record<CallsOf<Name>, CallDoc>> }
const tables: Complete = modules

type Row = {
  name: string
  calls: HostCallRows
  answers: Readonly<Record<string, Schema>>
  doc: Readonly<Record<string, CallDoc>>
}

const isCalls = (key: string): key is keyof Complete & `${Capability}Calls` => key.endsWith('Calls')

export const hostCalls: readonly Row[] = Object.keys(tables)
  .filter(isCalls)
  .map((key) => {
    const stem = key.slice(0, -'Calls'.length) as Capability
    return {
      name: snakeCase(stem).replaceAll('_', '-'),
      calls: tables[key],
      answers: tables[`${stem}Answers`],
      doc: tables[`${stem}Doc`],
    }
  })
