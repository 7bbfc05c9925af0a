/** `npm run keys -- …` */
import { chmodSync, constants, copyFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runTool, type Workplace } from '../command.ts'
import { nowSeconds } from '../ports.ts'
import { openKms } from './keys.ts'
import { MasterKeyError, readMasterKeys } from './master-key.ts'
import { cancelMasterKey, commitMasterKey, prepareMasterKey, rotateServerKey } from './rotation.ts'
import { liveKeys } from './store.ts'

const usage = `npm run keys -- <command>

  show                              the keys in use, by their ids
  backup <file>                     copies the master key file; keep the copy away from backups of the database
  rotate signing [--at-once]        a new key for tokens; --at-once makes every token of the old one void
  rotate sealing                    a new key for shares on their way to the server
  rotate prepare                    a new master key in the file, used for nothing; put the file on each machine
  rotate cancel                     gives up a key that was prepared, before it is used
  rotate commit                     uses it; run again after ten minutes, which drops the key before

The database is the one of DATABASE_URL, the master key the one of MASTER_KEY_FILE.`

const kmsOf = ({ database, clock, config }: Workplace) =>
  openKms({ database, clock, masterKeyFile: config.masterKeyFile })
const when = (seconds: number | null) => (seconds === null ? '' : new Date(seconds * 1_000).toISOString())

await runTool({
  usage,
  isRefusal: () => false,
  commands: {
    async show(_, place) {
      const { print } = place
      const kms = await kmsOf(place)
      print(`master   ${kms.currentKeyId()}  ${place.config.masterKeyFile}`)
      for (const key of await liveKeys(place.database.db, nowSeconds(place.clock))) {
        const end =
          key.retired_at === null ? '' : `  retired ${when(key.retired_at)}, ends ${when(key.expires_at)}`
        print(`${key.purpose.padEnd(8)} ${key.id}  since ${when(key.created_at)}${end}`)
      }
    },

    async backup([target], place) {
      const { print } = place
      if (target === undefined) throw new MasterKeyError(usage)
      await kmsOf(place)
      readMasterKeys(place.config.masterKeyFile)
      const copy = resolve(process.env.INIT_CWD ?? process.cwd(), target)
      try {
        copyFileSync(place.config.masterKeyFile, copy, constants.COPYFILE_EXCL)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
          throw new MasterKeyError(`${copy} is there already; a backup is never overwritten`)
        }
        throw error
      }
      chmodSync(copy, 0o600)
      print(`The master key is copied to ${copy}`)
    },

    async rotate([what, option], place) {
      const { print } = place
      const kms = await kmsOf(place)
      switch (what) {
        case 'signing':
        case 'sealing': {
          const atOnce = option === '--at-once'
          if (option !== undefined && !(atOnce && what === 'signing')) throw new MasterKeyError(usage)
          const id = await rotateServerKey(what, { ...place, kms }, { atOnce })
          const use = atOnce ? 'Running servers use it within a minute.' : 'It is used in twenty minutes.'
          print(`New ${what} key ${id}. ${use}`)
          return
        }
        case 'prepare': {
          const keyId = await prepareMasterKey(place.config.masterKeyFile, place)
          print(`Prepared master key ${keyId}; nothing uses it yet.`)
          print(
            `Make a backup of ${place.config.masterKeyFile} and put the file on each machine. A minute later:`,
          )
          print('npm run keys -- rotate commit')
          return
        }
        case 'cancel': {
          const keyId = await cancelMasterKey(place.config.masterKeyFile, place)
          print(`Master key ${keyId} will not be used. Put the file on each machine again, without it.`)
          return
        }
        case 'commit': {
          const { keyId, rewrapped, dropped } = await commitMasterKey(place.config.masterKeyFile, {
            ...place,
            kms,
          })
          print(`Master key ${keyId} is in use; ${rewrapped} secrets wrapped anew, ${dropped} keys dropped.`)
          if (dropped === 0) print('Ten minutes from now run it again: it drops the key before.')
          else print('Put the file on each machine, and make a backup of it.')
          return
        }
        default:
          throw new MasterKeyError(usage)
      }
    },
  },
})
