/**
 * Reports to the browser which passkeys the server knows, so that password managers hide the others and show the current
 * name. Only for the relying party of this dialog. The browser may ignore a report.
 * https://www.w3.org/TR/webauthn-3/#sctn-signal-methods
 */
import type { UserRecord } from '@latchkey/protocol'
import { toBase64url } from '../../../browser/base64url.ts'
import type { Settings } from '../../../host/settings.ts'
import type { SessionListener } from '../../../session/session.ts'
import { isPasskey } from '../../../webauthn/device.ts'

/** The methods of `PublicKeyCredential`. Each may be missing. */
export type SignalApi = Partial<
  Pick<
    typeof PublicKeyCredential,
    'signalUnknownCredential' | 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails'
  >
>
export type SignalPlace = { api: SignalApi; hostname: string }

/** Returns the relying party, or undefined on a page that is not on the dialog's origin. */
function findRelyingParty({ ownOrigins: [dialogOrigin = ''] }: Settings, { hostname }: SignalPlace) {
  return URL.canParse(dialogOrigin) && new URL(dialogOrigin).hostname === hostname ? hostname : undefined
}

const ignore = () => {}

/** Reports a passkey that no app of the server has. */
export function signalUnknown(
  settings: Settings,
  place: SignalPlace,
  { relyingParty, credentialId }: { relyingParty: string; credentialId: string },
): void {
  const rpId = findRelyingParty(settings, place)
  if (rpId === relyingParty) place.api.signalUnknownCredential?.({ rpId, credentialId }).catch(ignore)
}

/** Reports the user's passkeys after a login and after a change, and the user's name after a change. */
export function signalChange(
  settings: Settings,
  place: SignalPlace,
  [state, before, origin]: Parameters<SessionListener>,
): void {
  const rpId = findRelyingParty(settings, place)
  // A session from storage changes nothing, and another tab reports its own changes.
  if (!rpId || state.status !== 'authenticated' || before.status === 'unknown' || origin !== 'here') return
  const { user } = state
  const userBefore = before.status === 'authenticated' && before.user.id === user.id ? before.user : undefined
  const userId = toBase64url(new TextEncoder().encode(user.id))
  const allAcceptedCredentialIds = findPasskeyIds(user)
  if (!userBefore || `${findPasskeyIds(userBefore)}` !== `${allAcceptedCredentialIds}`) {
    place.api.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }).catch(ignore)
  }
  const names = createNames(settings, user)
  if (
    userBefore &&
    allAcceptedCredentialIds.length > 0 &&
    createNames(settings, userBefore).name !== names.name
  ) {
    place.api.signalCurrentUserDetails?.({ rpId, userId, ...names }).catch(ignore)
  }
}

const findPasskeyIds = ({ linkedAccounts }: UserRecord) =>
  linkedAccounts.filter(isPasskey).map(({ credentialId }) => credentialId)

/** Creates the names that the server gives a new passkey: the first e-mail address or phone number, and the app. */
function createNames({ app }: Settings, { linkedAccounts }: UserRecord) {
  const contacts = linkedAccounts.flatMap((account) => {
    if (account.type === 'email') return [account.address]
    return account.type === 'phone' ? [account.phoneNumber] : []
  })
  const [contact] = contacts
  return {
    name: contact === undefined ? app.name : `${contact} (${app.name})`,
    displayName: contact ?? app.name,
  }
}
