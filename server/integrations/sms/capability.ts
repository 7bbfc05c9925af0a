import { type Capability, port } from '../../kernel/capability.ts'
import { getMessaging, smsEnvironment } from './environment.ts'
import { smsTexter } from './texter.ts'
import { createTwilioTexter, createTwilioVerifier } from './twilio.ts'
import { smsVerifier } from './verifier.ts'

export const sms: Capability = {
  name: 'sms',
  environment: smsEnvironment,
  thirdParties: (config) => {
    const account = smsEnvironment.read(config).TWILIO_VERIFY_URL
    return account ? [{ variable: 'TWILIO_VERIFY_URL', url: account.serviceUrl }] : []
  },
  ports: [
    port(smsVerifier, ({ config }) => {
      const account = smsEnvironment.read(config).TWILIO_VERIFY_URL
      return { value: account && createTwilioVerifier(account) }
    }),
    port(smsTexter, ({ config }) => {
      const messaging = getMessaging(config)
      return { value: messaging && createTwilioTexter(messaging) }
    }),
  ],
}
