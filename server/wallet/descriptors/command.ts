/** `latchkey app descriptors`: manages the ERC-7730 descriptors of an app. */
import { parseArgs } from 'node:util'
import type { AppCommand, AppCommandResult, CommandContext } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import type { Db } from '../../kernel/ports.ts'
import { removeWithAudit } from './remove.ts'
import { type BindingRow, listBindings, listDescriptors } from './store.ts'

const spec = {
  summary: 'lists and changes the ERC-7730 descriptors that describe calls of contracts',
  forms: [
    { arguments: '<id> [list]', meaning: 'lists the descriptors and their contracts' },
    {
      arguments: '<id> add <file>',
      meaning: 'adds a descriptor and binds it to the present code of its contracts',
    },
    { arguments: '<id> remove <hash>', meaning: 'removes the descriptor with this SHA-256' },
  ],
  options: {},
  details: 'docs/descriptors.md describes the supported part of ERC-7730.',
} as const satisfies CommandSpec

const done = (...lines: string[]): AppCommandResult => ({ type: 'done', lines })
const refused = (...lines: string[]): AppCommandResult => ({ type: 'refused', lines })
const misused: AppCommandResult = { type: 'misused', lines: [] }

export const descriptorsCommand: AppCommand = {
  name: 'descriptors',
  spec,
  async run(appId, [action = 'list', ...args], db, place) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: spec.options })
    const [subject, ...more] = positionals
    if (more.length > 0 || (subject === undefined) !== (action === 'list')) return misused
    switch (action) {
      case 'list':
        return list(appId, db)
      case 'add': {
        // Loaded on demand: only this needs the parser.
        const { addDescriptor } = await import('./add.ts')
        const outcome = await addDescriptor(appId, subject ?? '', db, place)
        if (outcome.type === 'refused') return refused(outcome.line)
        const { row, bindings, skipped } = outcome
        return done(
          formatDescriptor(row),
          ...bindings.map(formatBinding),
          ...skipped.map(
            ({ chainId, address }) => `  chain ${chainId}  ${address}  skipped: no node of this chain`,
          ),
        )
      }
      case 'remove':
        return remove(appId, subject ?? '', db, place)
      default:
        return misused
    }
  },
}

async function list(appId: string, db: Db): Promise<AppCommandResult> {
  const bindings = await listBindings(db, appId)
  const lines = (await listDescriptors(db, appId)).flatMap((row) => [
    formatDescriptor(row),
    ...bindings.filter(({ hash }) => hash === row.hash).map(formatBinding),
  ])
  return done(...lines)
}

const formatDescriptor = ({ hash, kind, owner }: { hash: string; kind: string; owner: string }) =>
  `${hash}  ${kind}  ${owner}`

const formatBinding = ({ chain_id: chainId, address, code_hash: codeHash }: BindingRow) =>
  `  chain ${chainId}  ${address}  code ${codeHash.slice(0, 16)}…`

async function remove(
  appId: string,
  hash: string,
  db: Db,
  { clock }: CommandContext,
): Promise<AppCommandResult> {
  const isRemoved = await withTransaction(db, (trx) => removeWithAudit(trx, clock, appId, hash))
  return isRemoved ? done(`Removed ${hash}.`) : refused(`App ${appId} has no descriptor ${hash}.`)
}
