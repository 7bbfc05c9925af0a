import { test } from './example.ts'
import { expectMe } from './me.ts'
import { logIn, logOut } from './visitor.ts'

test('the Next example builds, logs in, returns the user from its route, and logs out', async ({
  client,
  example,
  inbox,
  page,
}) => {
  const env = example.settings('NEXT_PUBLIC_')
  await example.run('next', 'build', env)
  const script = 'node_modules/next/dist/bin/next'
  const origin = await example.start({ name: 'next', script, args: ['start'], env })
  await page.goto(origin)
  await logIn(client, inbox)
  await expectMe(page, origin)
  await logOut(client, inbox)
})
