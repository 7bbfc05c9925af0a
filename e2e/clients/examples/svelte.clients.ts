import { test } from './example.ts'
import { logIn, logOut, sign } from './visitor.ts'

test('the Svelte example type-checks, builds, logs in, signs and logs out', async ({
  client,
  example,
  inbox,
}) => {
  await example.openBuilt('svelte', example.settings('VITE_'))
  await logIn(client, inbox)
  await sign(client)
  await logOut(client, inbox)
})
