/** `latchkey app proposals`: lists and decides changes that need two operators. */
import { adminLimits } from '@latchkey/protocol/admin'
import { AppRefusal, requireApp } from '../../identity/apps/manage.ts'
import { createUnbuiltSettings } from '../../kernel/capability.ts'
import {
  appendAdminAudit,
  apply,
  approve,
  cancel,
  commandOperator,
  describeProposal,
  findProposal,
  readProposalsPage,
} from '../../platform/admin/admin.ts'
import { capabilities } from '../capabilities.ts'
import type { Command } from './command.ts'
import { parseCommand, UsageError } from './spec.ts'
import { appSpec } from './specs/app.ts'
import { table } from './table.ts'

const decisions = { approve, cancel, apply } as const
const isDecision = (action: string): action is keyof typeof decisions => Object.hasOwn(decisions, action)
/** The command line counts as one operator, because its user can change the app anyway. */
const decider = { operator: commandOperator, callerId: null }

export const proposals: Command = async (args, { database, clock, config, print }) => {
  const { values, positionals } = parseCommand(appSpec.commands.proposals, args)
  const [appId, action = 'list', id, ...more] = positionals
  if (appId === undefined || more.length > 0 || (action === 'list') !== (id === undefined))
    throw new UsageError()
  await requireApp(database.db, appId)
  if (id === undefined) {
    const rows = await readProposalsPage(database.db, appId, undefined, adminLimits.mostPerPage)
    const open = rows
      .map((row) => describeProposal(row, clock))
      .filter(({ state }) => state === 'proposed' || state === 'approved')
    if (values.json) return print(JSON.stringify(open, null, 2))
    if (open.length === 0) return print('There are no open proposals.')
    const lines = open.map(({ id, state, widens, proposed, approved, appliesFrom, expiresAt }) => [
      id,
      state,
      widens.join(' '),
      proposed.operator,
      approved?.operator ?? '',
      appliesFrom ?? '',
      expiresAt,
    ])
    const heading = ['PROPOSAL', 'STATE', 'WIDENS', 'PROPOSED BY', 'APPROVED BY', 'APPLIES FROM', 'EXPIRES']
    for (const line of table([heading, ...lines])) print(line)
    return
  }
  if (action === 'show') {
    const row = await findProposal(database.db, { appId, id })
    if (row === undefined) throw new AppRefusal(`App ${appId} has no proposal ${id}.`)
    return print(JSON.stringify(describeProposal(row, clock), null, 2))
  }
  if (!isDecision(action)) throw new UsageError()
  const support = { unbuiltSettings: createUnbuiltSettings(capabilities), ownOrigins: config.ownOrigins }
  const row = await database.transaction(async (trx) => {
    const decided = await decisions[action](trx, { clock, support }, { appId, id }, decider)
    await appendAdminAudit(trx, clock, {
      chain: appId,
      actor: 'command',
      operation: `proposal.${decided.state}`,
      target: id,
      status: 200,
      result: 'ok',
      request_id: '',
    })
    return decided
  })
  const proposal = describeProposal(row, clock)
  if (values.json) return print(JSON.stringify(proposal))
  const from = action === 'approve' ? ` It can be applied from ${proposal.appliesFrom}.` : ''
  print(`Proposal ${id} is ${proposal.state}.${from}`)
}
