import * as v from 'valibot'
import { pictureLimits } from '../limits/limits.ts'
import { createOnLoginOptions } from './app-config.ts'
import { loginMethodSchema, methodHostSettings } from './login-methods.ts'
import { mfaMethodTypes } from './mfa-methods.ts'
import { text } from './primitives.ts'
import { userOwnedRecoveryOptions } from './wallets/wallet-account.ts'

/** Treats an undefined setting as unset. */
const option = v.optional
/** A schema with a stricter type for editors. Untyped pages may send any string. */
type Typed<T> = v.GenericSchema<T, T>
export const httpsLink = v.pipe(
  text,
  v.url(),
  v.startsWith('https://'),
) as unknown as Typed<`https://${string}`>
/** An invalid color or scheme is reported in the console and replaced by the default. */
export const colourSetting = v.pipe(text) as unknown as Typed<`#${string}`>
export const themeSetting = v.pipe(text) as unknown as Typed<'light' | 'dark' | 'auto' | `#${string}`>
const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const creation = v.picklist(createOnLoginOptions)

/** The host page's configuration. It overrides the server's settings. */
export const clientConfigSchema = v.object({
  name: option(text),
  legal: option(
    v.object({
      requireUsersAcceptTerms: option(v.boolean()),
      termsAndConditionsUrl: option(httpsLink),
      privacyPolicyUrl: option(httpsLink),
    }),
  ),
  intl: option(
    v.object({ defaultCountry: option(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))), locale: option(text) }),
  ),
  loginMethods: option(v.array(loginMethodSchema)),
  loginMethodsAndOrder: option(v.object({ primary: v.array(text), overflow: option(v.array(text)) })),
  appearance: option(
    v.object({
      theme: option(themeSetting),
      accentColor: option(colourSetting),
      logo: option(v.pipe(v.string(), v.maxLength(pictureLimits.maxAddressLength))),
      landingHeader: option(text),
      loginMessage: option(text),
      loginGroupPriority: option(v.picklist(['web2-first', 'web3-first'])),
      hideDirectWeb2Inputs: option(v.boolean()),
      walletList: option(v.array(text)),
      palette: option(v.object({ colorScheme: option(v.picklist(['light', 'dark'])) })),
    }),
  ),
  loginConfig: option(
    v.object({ twitterOAuthOnMobileEnabled: option(v.boolean()), oauthTokens: option(v.boolean()) }),
  ),
  allowlistConfig: option(
    v.object({
      errorTitle: option(text),
      errorDetail: option(text),
      ctaText: option(text),
      ctaLink: option(httpsLink),
    }),
  ),
  mfa: option(
    v.object({
      methods: option(v.array(v.picklist(mfaMethodTypes))),
      noPromptOnMfaRequired: option(v.boolean()),
    }),
  ),
  ...methodHostSettings,
  embeddedWallets: option(
    v.object({
      createOnLogin: option(
        v.union([creation, v.object({ ethereum: option(creation), solana: option(creation) })]),
      ),
      requireUserOwnedRecoveryOnCreate: option(v.boolean()),
      noPromptOnSignature: option(v.boolean()),
      userOwnedRecoveryOptions: option(v.array(v.picklist(userOwnedRecoveryOptions))),
      waitForTransactionConfirmation: option(v.boolean()),
      priceDisplay: option(
        v.object({
          primary: option(v.picklist(['fiat-currency', 'native-token'])),
          secondary: option(v.nullable(v.picklist(['fiat-currency', 'native-token']))),
        }),
      ),
      announceProvider: option(v.boolean()),
    }),
  ),
  fiatOnRamp: option(v.object({ enabled: option(v.boolean()), useSandbox: option(v.boolean()) })),
  captchaEnabled: option(v.boolean()),
  captchaSiteKey: option(text),
  supportedChains: option(v.array(chainId)),
  defaultChain: option(chainId),
  rpcUrls: option(v.record(v.string(), httpsLink)),
  externalWallets: option(v.object({ walletConnect: option(v.object({ enabled: option(v.boolean()) })) })),
})
export type ClientConfig = v.InferOutput<typeof clientConfigSchema>
