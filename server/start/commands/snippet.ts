/** `npm run snippet`: what goes into the page of an app, with the address and the hash of this very server. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { originsOf } from '../../identity/apps/apps.ts'
import { AppRefusal, existing } from '../../identity/apps/manage.ts'
import { environmentOf } from '../../kernel/capability.ts'
import { configFrom } from '../../kernel/config.ts'
import { capabilities } from '../capabilities.ts'
import type { Command } from './command.ts'

export const snippet: Command = async ([id = ''], { database, environment, print }) => {
  const app = await existing(database.db, id)
  const { dialogOrigin, loaderDist } = configFrom(environment, environmentOf(capabilities))
  const { stub, version, integrity } = loaderIn(loaderDist)
  print(
    `${stub}<script src="${dialogOrigin}/loader/${version}/loader.js" integrity="${integrity}" crossorigin="anonymous" data-app-id="${app.id}" async></script>`,
  )
  const origins = originsOf(app)
  print('')
  print(
    origins.length === 0
      ? `<!-- No page may embed this app yet. Run: npm run app -- origins ${app.id} add <origin of your page> -->`
      : `<!-- For pages of ${origins.join(', ')} -->`,
  )
}

function loaderIn(dist: string) {
  try {
    const { version } = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8'))
    const read = (name: string) => readFileSync(join(dist, name), 'utf8')
    return { stub: read('queue-stub.txt'), version, integrity: read('loader.sri').trim() }
  } catch {
    throw new AppRefusal(`The loader is not built: ${dist} lacks it. Run: npm run build`)
  }
}
