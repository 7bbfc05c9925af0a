import { type AdminOidcProvider, adminLimits, adminOidcRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Badge, Empty, Loaded, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/oidc')
const { listOidcProviders, createOidcProvider, updateOidcProvider, refreshOidcProvider } = adminOidcRoutes

export function LoginProviders() {
  const { app } = route.useParams()
  const can = useCan()
  const input = { params: { app } }
  const query = useQuery(adminQuery(listOidcProviders, input))
  return (
    <Screen
      title="Login providers"
      lead="OpenID providers of this app: Keycloak, Entra ID, Okta, Auth0, Zitadel, or your own."
      call={<CurlButton route={listOidcProviders} input={input} />}
      actions={can('apps:write') && <AddProvider app={app} />}
    >
      <Loaded query={query}>
        {({ output: { data } }) =>
          data.length === 0 ? (
            <Card>
              <Empty title="There are no providers">
                Add one, and list its login method in your page. Google, Apple and others are in the app
                settings.
              </Empty>
            </Card>
          ) : (
            data.map((provider) => <Provider key={provider.id} app={app} provider={provider} />)
          )
        }
      </Loaded>
    </Screen>
  )
}

const Copyable = ({ text }: { text: string }) => (
  <span className={styles.row}>
    <code>{text}</code>
    <CopyButton label="Copy" text={text} />
  </span>
)

function Provider({ app, provider }: { app: string; provider: AdminOidcProvider }) {
  const can = useCan()
  const params = { app, provider: provider.id }
  const isEnabled = provider.state === 'enabled'
  return (
    <Card title={provider.name} isPadded>
      <Facts
        rows={[
          [
            'State',
            <Badge key="s" tone={isEnabled ? 'good' : 'warning'}>
              {provider.state}
            </Badge>,
          ],
          ['Login method', <Copyable key="l" text={provider.loginMethod} />],
          ['Issuer', provider.issuer],
          ['Client id', provider.clientId],
          ['Redirect URI', <Copyable key="r" text={provider.redirectUri} />],
          ['Back-channel logout URI', <Copyable key="o" text={provider.logoutUri} />],
          ['Created', <Time key="c" at={provider.createdAt} />],
        ]}
      />
      {can('apps:write') && (
        <div className={styles.row}>
          <EditProvider key={provider.name} app={app} provider={provider} />
          <Action
            label="Refresh"
            title="Read the discovery document again?"
            description="Do this after the provider changed its endpoints or signatures. Its keys are always current."
            verb="Refresh"
            route={refreshOidcProvider}
            input={{ params }}
          />
          <Action
            label={isEnabled ? 'Disable' : 'Enable'}
            title={isEnabled ? `Disable ${provider.name}?` : `Enable ${provider.name}?`}
            description={
              isEnabled
                ? 'Its logins are refused. Sessions and accounts stay.'
                : 'Users can log in with it again.'
            }
            verb={isEnabled ? 'Disable' : 'Enable'}
            isDangerous={isEnabled}
            route={updateOidcProvider}
            input={{ params, body: { state: isEnabled ? 'disabled' : 'enabled' } }}
          />
        </div>
      )}
    </Card>
  )
}

type SecretFieldProps = { label: string; hint?: string; value: string; onChange: (secret: string) => void }

const SecretField = ({ onChange, ...props }: SecretFieldProps) => (
  <TextField {...props} type="password" onChange={({ target }) => onChange(target.value.trim())} />
)

function AddProvider({ app }: { app: string }) {
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [issuer, setIssuer] = useState('')
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const isId = /^[a-z0-9-]{1,32}$/.test(id)
  const isComplete =
    isId && name.trim() !== '' && URL.canParse(issuer) && clientId !== '' && clientSecret !== ''
  return (
    <Action
      label="Add provider"
      title="Add an OpenID provider"
      description="The server reads its discovery document. Users see it as soon as your page lists its login method."
      verb="Add"
      isDisabled={!isComplete}
      route={createOidcProvider}
      input={{ params: { app }, body: { id, name, issuer, clientId, clientSecret } }}
    >
      <TextField
        label="Id"
        placeholder="acme"
        hint="Part of the login method oidc:<id>. It cannot be changed."
        value={id}
        onChange={({ target }) => setId(target.value.trim())}
        problem={id === '' || isId ? undefined : 'Use at most 32 lower-case letters, digits and hyphens'}
      />
      <TextField
        label="Name"
        hint="Users see it on the login screen."
        value={name}
        maxLength={adminLimits.maxProviderNameLength}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Issuer"
        type="url"
        placeholder="https://id.acme.example"
        hint="Exactly as in its tokens. It cannot be changed."
        value={issuer}
        onChange={({ target }) => setIssuer(target.value.trim())}
      />
      <TextField
        label="Client id"
        value={clientId}
        onChange={({ target }) => setClientId(target.value.trim())}
      />
      <SecretField label="Client secret" value={clientSecret} onChange={setClientSecret} />
    </Action>
  )
}

function EditProvider({ app, provider }: { app: string; provider: AdminOidcProvider }) {
  const [name, setName] = useState(provider.name)
  const [clientSecret, setClientSecret] = useState('')
  const body = {
    ...(name.trim() !== provider.name && { name }),
    ...(clientSecret !== '' && { clientSecret }),
  }
  return (
    <Action
      label="Edit"
      title={`Edit ${provider.name}`}
      verb="Save"
      isDisabled={name.trim() === '' || Object.keys(body).length === 0}
      route={updateOidcProvider}
      input={{ params: { app, provider: provider.id }, body }}
      onDone={() => setClientSecret('')}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={adminLimits.maxProviderNameLength}
        onChange={({ target }) => setName(target.value)}
      />
      <SecretField
        label="New client secret"
        hint="Leave it empty to keep the stored one."
        value={clientSecret}
        onChange={setClientSecret}
      />
    </Action>
  )
}
