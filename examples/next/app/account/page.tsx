import { readSession } from '../../session'
import { SessionButtons } from './session-buttons'

export default async function AccountPage() {
  const session = await readSession()
  return (
    <>
      <SessionButtons userId={session?.userId} />
      <p id="server">
        {session === undefined ? 'The server knows no user' : `The server knows ${session.userId}`}
      </p>
    </>
  )
}
