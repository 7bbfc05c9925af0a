/** The commands of `latchkey keys`, for an existing database. */
import { resolve } from 'node:path'
import { openKms } from '../../kernel/keys/keys.ts'
import {
  copyMasterKeys,
  MasterKeyError,
  masterKeyFileExists,
  readMasterKeys,
} from '../../kernel/keys/master-key.ts'
import {
  cancelMasterKey,
  commitMasterKey,
  dropPeppers,
  formatCommand,
  prepareMasterKey,
  rotatePepper,
  rotateServerKey,
} from '../../kernel/keys/rotation.ts'
import { type KeyColumns, liveKeys, type MasterKeyName } from '../../kernel/keys/store.ts'
import { signsTypedTokens } from '../../kernel/keys/untyped-tokens.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import type { Tool, ToolContext } from './command.ts'
import { parseOptions, UsageError } from './spec.ts'
import { keysSpec } from './specs/keys.ts'

type Changes = { mayPrepare?: boolean }
const openToolKms = ({ database, clock, config }: ToolContext, changes: Changes = {}) =>
  openKms({ database, clock, ...config, ...changes })
const when = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString())

const formatEnd = ({ retired_at, expires_at }: { retired_at: number | null; expires_at: number | null }) => {
  if (retired_at === null) return ''
  const end = expires_at === null ? 'retained while a value needs it' : `ends ${when(expires_at)}`
  return `  retired ${when(retired_at)}, ${end}`
}

/** Returns the selected master key and its file. */
function selectKeyFile(
  { config }: ToolContext,
  which: string | undefined,
): { name: MasterKeyName; file: string } {
  if (which === undefined) return { name: 'master', file: config.masterKeyFile }
  if (which !== 'recovery') throw new UsageError()
  if (config.recoveryMasterKeyFile === undefined) {
    throw new MasterKeyError(
      'Set RECOVERY_MASTER_KEY_FILE to the path of the file. If the file does not exist, prepare creates it.',
    )
  }
  return { name: 'recovery', file: config.recoveryMasterKeyFile }
}

/** `columns` are the wrapped and peppered columns of the capabilities. */
export const createKeysTool = (columns: KeyColumns): Tool => ({
  name: 'keys',
  spec: keysSpec,
  isRefusal: () => false,
  commands: {
    async show(args, context) {
      const { json = false } = parseOptions(keysSpec.commands.show, args)
      const { print, config } = context
      const kms = await openToolKms(context)
      const recovery = kms.recoveryKeyId()
      const files = [
        { purpose: 'master', id: kms.currentKeyId(), file: config.masterKeyFile },
        ...(recovery === null
          ? []
          : [{ purpose: 'recovery', id: recovery, file: config.recoveryMasterKeyFile }]),
      ]
      for (const row of files) {
        print(json ? JSON.stringify(row) : `${row.purpose.padEnd(8)} ${row.id}  ${row.file}`)
      }
      for (const key of await liveKeys(context.database.db, nowSeconds(context.clock))) {
        const { purpose, id, created_at, retired_at, expires_at } = key
        const times = { created: when(created_at), retired: when(retired_at), expires: when(expires_at) }
        print(
          json
            ? JSON.stringify({ purpose, id, ...times })
            : `${purpose.padEnd(8)} ${id}  since ${times.created}${formatEnd(key)}`,
        )
      }
    },

    async backup(targets, context) {
      const { masterKeyFile, recoveryMasterKeyFile } = context.config
      await openToolKms(context)
      const sources = [
        { what: 'master key', file: masterKeyFile },
        ...(recoveryMasterKeyFile === undefined
          ? []
          : [{ what: 'recovery master key', file: recoveryMasterKeyFile }]),
      ]
      if (targets.length !== sources.length) throw new UsageError()
      const copies = sources.map(({ what, file }, at) => ({
        what,
        keys: readMasterKeys(file),
        copy: resolve(process.env.INIT_CWD ?? process.cwd(), targets[at] ?? ''),
      }))
      // Checks both targets before the first copy, so that a refused run has copied nothing.
      for (const { copy } of copies) {
        if (masterKeyFileExists(copy)) {
          throw new MasterKeyError(`${copy} already exists. A backup is never overwritten.`)
        }
      }
      for (const { what, keys, copy } of copies) {
        copyMasterKeys(copy, keys)
        context.print(`Copied the ${what} to ${copy}`)
      }
    },

    async rotate([what, option, ...rest], context) {
      const { print } = context
      if (rest.length > 0) throw new UsageError()
      switch (what) {
        case 'signing':
        case 'sealing': {
          const atOnce = option === '--at-once'
          if (option !== undefined && !(atOnce && what === 'signing')) throw new UsageError()
          const kms = await openToolKms(context)
          const id = await rotateServerKey(what, { ...context, kms }, { atOnce })
          const use = atOnce ? 'Running servers use it within a minute.' : 'Servers use it in twenty minutes.'
          print(`New ${what} key ${id}. ${use}`)
          if (what === 'signing' && !signsTypedTokens(id)) {
            print(
              'A server of release 0.1.0 runs, so tokens keep the form of that release. ' +
                'Rotate the key again once all servers run this release.',
            )
          }
          return
        }
        case 'pepper': {
          if (option !== undefined) throw new UsageError()
          const id = await rotatePepper({ ...context, kms: await openToolKms(context) })
          print(`New pepper ${id}. Servers use it in twenty minutes.`)
          return
        }
        case 'prepare': {
          const { name, file } = selectKeyFile(context, option)
          await openToolKms(context, { mayPrepare: name === 'recovery' })
          const keyId = await prepareMasterKey(file, context, name)
          print(`Prepared master key ${keyId}. Nothing uses it yet.`)
          print(`Back up ${file}, then put it on each machine.`)
          if (name === 'recovery') {
            print(
              'Set RECOVERY_MASTER_KEY_FILE for each server that runs without it, and restart that server.',
            )
          }
          print(`A minute later, run: ${formatCommand('commit', name)}`)
          return
        }
        case 'cancel': {
          const { name, file } = selectKeyFile(context, option)
          await openToolKms(context, { mayPrepare: name === 'recovery' })
          const keyId = await cancelMasterKey(file, context, name)
          print(
            `Cancelled master key ${keyId} and removed it from the file. Put the file on each machine again.`,
          )
          return
        }
        case 'commit': {
          const { name, file } = selectKeyFile(context, option)
          const kms = await openToolKms(context)
          const { keyId, rewrapped, dropped, isOver } = await commitMasterKey(
            file,
            { ...context, kms, columns },
            name,
          )
          print(
            `Master key ${keyId} is in use. Encrypted again: ${rewrapped} secrets. Removed: ${dropped} keys.`,
          )
          if (!isOver) print('Run this again in ten minutes to remove the previous key.')
          else if (dropped > 0) print('Put the file on each machine, and back it up.')
          return
        }
        default:
          throw new UsageError()
      }
    },

    async drop([what, ...rest], context) {
      if (what !== 'peppers' || rest.length > 0) throw new UsageError()
      await openToolKms(context)
      const { dropped, retained } = await dropPeppers({ ...context, columns })
      for (const id of dropped) context.print(`Removed pepper ${id}.`)
      for (const id of retained) context.print(`Kept pepper ${id}: something may still need it.`)
      if (dropped.length + retained.length === 0) context.print('There are no peppers to remove.')
    },
  },
})
