/** The commands of `npm run keys -- …`, on a database that is there. */
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
  commandOf,
  commitMasterKey,
  dropPeppers,
  prepareMasterKey,
  rotatePepper,
  rotateServerKey,
} from '../../kernel/keys/rotation.ts'
import { liveKeys, type MasterKeyName } from '../../kernel/keys/store.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import type { Tool, Workplace } from './command.ts'

const usage = `npm run keys -- <command>

  show                              the keys in use, by their ids
  backup <file> [<recovery file>]   copies each master key file; keep the copies away from each other and from backups
                                    of the database
  rotate signing [--at-once]        a new key for tokens; --at-once makes every token of the old one void
  rotate sealing                    a new key for shares on their way to the server
  rotate pepper                     a new pepper for codes, sessions and recovery passwords; what the old one made stays good
  drop peppers                      removes those that no session and no recovery password needs any more
  rotate prepare [recovery]         a new master key in the file, used for nothing; put the file on each machine
  rotate cancel [recovery]          gives up a key that was prepared, before it is used
  rotate commit [recovery]          uses it; run again after ten minutes, which drops the key before

With 'recovery' it is the master key of recovery shares. The first one moves them to a file of their own.

The database is the one of DATABASE_URL, the master key the one of MASTER_KEY_FILE, and that of recovery shares the one
of RECOVERY_MASTER_KEY_FILE, where they have one.`

type Changes = { readonly mayPrepare?: boolean }
const kmsOf = ({ database, clock, config }: Workplace, changes: Changes = {}) =>
  openKms({ database, clock, ...config, ...changes })
const when = (seconds: number | null) => (seconds === null ? '' : new Date(seconds * 1_000).toISOString())

const endOf = ({ retired_at, expires_at }: { retired_at: number | null; expires_at: number | null }) => {
  if (retired_at === null) return ''
  const end = expires_at === null ? 'stays while something needs it' : `ends ${when(expires_at)}`
  return `  retired ${when(retired_at)}, ${end}`
}

/** Which of the two master keys is meant, and the file that it is in. */
function fileMeant({ config }: Workplace, which: string | undefined): { name: MasterKeyName; file: string } {
  if (which === undefined) return { name: 'master', file: config.masterKeyFile }
  if (which !== 'recovery') throw new MasterKeyError(usage)
  if (config.recoveryMasterKeyFile === undefined) {
    throw new MasterKeyError(
      'Name the file in RECOVERY_MASTER_KEY_FILE: prepare makes it where it is not there.',
    )
  }
  return { name: 'recovery', file: config.recoveryMasterKeyFile }
}

export const keysTool: Tool = {
  usage,
  isRefusal: () => false,
  commands: {
    async show(_, place) {
      const { print } = place
      const kms = await kmsOf(place)
      print(`master   ${kms.currentKeyId()}  ${place.config.masterKeyFile}`)
      const recovery = kms.recoveryKeyId()
      if (recovery !== null) print(`recovery ${recovery}  ${place.config.recoveryMasterKeyFile}`)
      for (const key of await liveKeys(place.database.db, nowSeconds(place.clock))) {
        print(`${key.purpose.padEnd(8)} ${key.id}  since ${when(key.created_at)}${endOf(key)}`)
      }
    },

    async backup(targets, place) {
      const { masterKeyFile, recoveryMasterKeyFile } = place.config
      await kmsOf(place)
      const sources = [
        { what: 'master key', file: masterKeyFile },
        ...(recoveryMasterKeyFile === undefined
          ? []
          : [{ what: 'recovery master key', file: recoveryMasterKeyFile }]),
      ]
      if (targets.length !== sources.length) throw new MasterKeyError(usage)
      const copies = sources.map(({ what, file }, at) => ({
        what,
        keys: readMasterKeys(file),
        copy: resolve(process.env.INIT_CWD ?? process.cwd(), targets[at] ?? ''),
      }))
      // Both are looked for before the first is written: a run that is refused has copied nothing.
      for (const { copy } of copies) {
        if (masterKeyFileExists(copy)) {
          throw new MasterKeyError(`${copy} is there already; a backup is never overwritten`)
        }
      }
      for (const { what, keys, copy } of copies) {
        copyMasterKeys(copy, keys)
        place.print(`The ${what} is copied to ${copy}`)
      }
    },

    async rotate([what, option, ...rest], place) {
      const { print } = place
      if (rest.length > 0) throw new MasterKeyError(usage)
      switch (what) {
        case 'signing':
        case 'sealing': {
          const atOnce = option === '--at-once'
          if (option !== undefined && !(atOnce && what === 'signing')) throw new MasterKeyError(usage)
          const kms = await kmsOf(place)
          const id = await rotateServerKey(what, { ...place, kms }, { atOnce })
          const use = atOnce ? 'Running servers use it within a minute.' : 'It is used in twenty minutes.'
          print(`New ${what} key ${id}. ${use}`)
          return
        }
        case 'pepper': {
          if (option !== undefined) throw new MasterKeyError(usage)
          const id = await rotatePepper({ ...place, kms: await kmsOf(place) })
          print(`New pepper ${id}. It is used in twenty minutes.`)
          return
        }
        case 'prepare': {
          const { name, file } = fileMeant(place, option)
          await kmsOf(place, { mayPrepare: name === 'recovery' })
          const keyId = await prepareMasterKey(file, place, name)
          print(`Prepared master key ${keyId}; nothing uses it yet.`)
          print(`Make a backup of ${file} and put the file on each machine.`)
          if (name === 'recovery') {
            print('Where a server runs without RECOVERY_MASTER_KEY_FILE, set it and start the server again.')
          }
          print(`A minute later: ${commandOf('commit', name)}`)
          return
        }
        case 'cancel': {
          const { name, file } = fileMeant(place, option)
          await kmsOf(place, { mayPrepare: name === 'recovery' })
          const keyId = await cancelMasterKey(file, place, name)
          print(`Master key ${keyId} will not be used. Put the file on each machine again, without it.`)
          return
        }
        case 'commit': {
          const { name, file } = fileMeant(place, option)
          const kms = await kmsOf(place)
          const { keyId, rewrapped, dropped, isOver } = await commitMasterKey(file, { ...place, kms }, name)
          print(`Master key ${keyId} is in use; ${rewrapped} secrets wrapped anew, ${dropped} keys dropped.`)
          if (!isOver)
            print('Ten minutes from now run it again: it looks once more and drops the key before.')
          else if (dropped > 0) print('Put the file on each machine, and make a backup of it.')
          return
        }
        default:
          throw new MasterKeyError(usage)
      }
    },

    async drop([what, ...rest], place) {
      if (what !== 'peppers' || rest.length > 0) throw new MasterKeyError(usage)
      await kmsOf(place)
      const { dropped, kept } = await dropPeppers(place)
      for (const id of dropped) place.print(`Pepper ${id} is gone.`)
      for (const id of kept) place.print(`Pepper ${id} stays: something may still need it.`)
      if (dropped.length + kept.length === 0) place.print('There is no pepper but the ones in use.')
    },
  },
}
