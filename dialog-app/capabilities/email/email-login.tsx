/** A login by a code that is sent to an e-mail address. */
import { emailRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { showElement } from '../../flow/screen.ts'
import { createLastEmail, type LastEmail } from '../../session/last-email.ts'
import type { CodeMethod } from '../codes/code-method.ts'
import { EmailEntry } from './email-entry.tsx'
import { texts } from './texts.arb'

export const emailMethod = (ports: CapabilityPorts): MethodCode => ({
  account: {
    type: 'email',
    idOf: (account) => (account.type === 'email' ? account.address : undefined),
    normalId: (address) => address.trim().toLowerCase(),
    unlink: (address, asker) => ports.api.call(emailRoutes.unlinkEmail, { address }, asker),
  },
  start: (login) => startEmailLogin(ports, login),
})

async function startEmailLogin(ports: CapabilityPorts, login: MethodInProgress): Promise<StartedMethod> {
  const { settings, store, load } = ports
  const { app, config } = settings()
  const lastEmail = createLastEmail(store, app.id)
  const props = { login, method: emailCodes(ports, lastEmail), ports, lastEmail }
  if (login.purpose !== 'login' || config.appearance?.hideDirectWeb2Inputs !== true) {
    return { entry: showElement(<EmailEntry {...props} />, texts) }
  }
  const { HiddenEntry } = await load(() => import('./lazy/hidden-entry.tsx'))
  const entry = (
    <HiddenEntry>
      <EmailEntry {...props} focused />
    </HiddenEntry>
  )
  return { entry: showElement(entry, texts) }
}

const emailCodes = ({ api, session }: CapabilityPorts, lastEmail: LastEmail): CodeMethod => ({
  loginMethod: 'email',
  accountType: 'email',
  sentBy: 'mail',
  send: (email, pass, asker) => api.call(emailRoutes.sendEmailCode, { email, ...pass }, asker),
  proof: (email, code) => ({
    async logIn(vault, asker) {
      const body = { email, code, ...(vault && { vault }) }
      const answer = await session.logIn(emailRoutes.loginWithEmailCode, body, asker)
      lastEmail.remember(email)
      return answer
    },
    link: (asker) => api.call(emailRoutes.linkEmail, { email, code }, asker),
    replace: (oldAddress, asker) =>
      api.call(emailRoutes.updateEmail, { oldAddress, newAddress: email, code }, asker),
  }),
})
