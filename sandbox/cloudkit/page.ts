/** The page at which somebody signs in to iCloud, and the one that tells the window that opened it. */
import { visitPage } from '../pages/layout.ts'

const page = (title: string, body: string) =>
  visitPage(title, `<h1>iCloud <small>in the sandbox</small></h1>\n${body}`)

export const signInPage = () =>
  page(
    'Sign in to iCloud',
    `<form method="post" action="/cloudkit/signed-in">
<label>Somebody else <input name="person" required autocomplete="off"></label>
<button>Continue</button>
</form>
<form method="post" action="/cloudkit/signed-in">
<button name="denied" value="yes">Deny</button>
</form>`,
  )

/** A session is base64url, so it needs no escape. */
export const signedInPage = (ckSession: string | undefined) =>
  page(
    'Signed in',
    ckSession === undefined
      ? '<p>You did not sign in. Close this window.</p>'
      : `<p>You can close this window.</p>
<script src="/cloudkit/answer.js" data-session="${ckSession}"></script>`,
  )
