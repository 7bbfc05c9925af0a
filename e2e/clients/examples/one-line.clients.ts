import { appId } from '../../stack/stack.ts'
import { test } from './example.ts'
import { logIn, logOut } from './visitor.ts'

test('the one-line page logs in, greets after a reload, and logs out', async ({
  client,
  example,
  inbox,
  stack,
}) => {
  await example.openFolder('one-line', (text) =>
    text.replace('http://dialog.localhost:4000', stack.dialogOrigin).replace('YOUR_APP_ID', appId),
  )
  await logIn(client, inbox)
  await logOut(client, inbox)
})
