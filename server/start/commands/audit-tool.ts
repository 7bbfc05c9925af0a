/** `latchkey audit`: verifies the audit log of the Admin API. */
import { type AuditHead, verifyAuditChains } from '../../platform/admin/admin.ts'
import { type Command, runTool, type Tool } from './command.ts'
import { parseOptions } from './spec.ts'
import { auditSpec } from './specs/admin.ts'

/** Thrown for a malformed head, and for a log with a fault. */
class AuditRefusal extends Error {
  override name = 'AuditRefusal'
}

function parseHead(text: string): AuditHead {
  const [, chain = '', sequence = '', hash = ''] =
    /^([A-Za-z0-9]*):(\d{1,15}):([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (hash === '') throw new AuditRefusal(`${text} is no head: pass <app>:<sequence>:<hash>.`)
  return { chain, sequence: Number(sequence), hash }
}

const verify: Command = async (args, { database, clock, print }) => {
  const { head = [], json } = parseOptions(auditSpec.commands.verify, args)
  const checks = await verifyAuditChains(database.db, clock, head.map(parseHead))
  for (const { chain, sequence, hash, first, fault } of checks) {
    if (json) {
      print(JSON.stringify({ app: chain === '' ? null : chain, sequence, hash, first, fault: fault ?? null }))
    } else if (fault === undefined) print(`${chain}:${sequence}:${hash}`)
  }
  const faults = checks.flatMap(({ chain, fault }) =>
    fault === undefined
      ? []
      : [
          `The entry ${fault.sequence} of ${chain === '' ? 'the calls without an app' : `app ${chain}`} is ${fault.reason}.`,
        ],
  )
  if (faults.length > 0) throw new AuditRefusal(faults.join('\n'))
  if (checks.length === 0 && !json) print('The audit log is empty.')
}

export const auditTool: Tool = {
  name: 'audit',
  spec: auditSpec,
  commands: { verify },
  isRefusal: (error) => error instanceof AuditRefusal,
}

export const run = (args: string[]): Promise<void> => runTool(auditTool, args)
