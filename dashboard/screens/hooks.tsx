import {
  type AdminHook,
  adminHookRoutes,
  type HookKind,
  hookKindNames,
  hookKinds,
} from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { Badge, Loaded, Muted, Time } from '../ui/states.tsx'
import styles from './screens.module.css'
import { SigningSecrets } from './signing-secrets.tsx'

const route = getRouteApi('/signed-in/apps/$app/hooks')
const routes = adminHookRoutes

const titles: Readonly<Record<HookKind, string>> = {
  'login.before': 'Before a login',
  'token.claims': 'Claims of host tokens',
  'message.send': 'Codes and notices',
}

/** The outcome without a valid answer, by `on_failure`. */
const failures: Readonly<Record<HookKind, { allow: string; deny: string }>> = {
  'login.before': { allow: 'The login proceeds', deny: 'The login is denied' },
  'token.claims': { allow: 'The token has no claims of the hook', deny: 'No token is issued' },
  'message.send': { allow: 'The server sends the message', deny: 'No message is sent' },
}

export function Hooks() {
  const { app } = route.useParams()
  const input = { params: { app } }
  const query = useQuery(adminQuery(routes.listHooks, input))
  return (
    <Screen
      title="Hooks"
      lead="Questions to your backend, which it answers within two seconds. None adds authority."
      call={<CurlButton route={routes.listHooks} input={input} />}
    >
      <Loaded query={query}>
        {({ output }) =>
          hookKindNames.map((kind) => {
            const hook = output.data.find((each) => each.kind === kind)
            return (
              <Card key={kind} title={titles[kind]} isPadded>
                <p>
                  <code>{kind}</code> is asked {hookKinds[kind]}.
                </p>
                {hook ? <Hook hook={hook} /> : <NoHook app={app} kind={kind} />}
              </Card>
            )
          })
        }
      </Loaded>
    </Screen>
  )
}

function NoHook({ app, kind }: { app: string; kind: HookKind }) {
  const can = useCan()
  if (kind === 'message.send') {
    const command = `latchkey app hooks ${app} add message.send https://app.example/latchkey`
    return (
      <>
        <Muted>There is no hook. It receives login codes, so only a command on the server creates it:</Muted>
        <div className={styles.row}>
          <code>{command}</code>
          <CopyButton label="Copy" text={command} />
        </div>
      </>
    )
  }
  return (
    <div className={styles.row}>
      <Muted>There is no hook.</Muted>
      {can('webhooks:write') && <CreateHook app={app} kind={kind} />}
    </div>
  )
}

type OnFailure = AdminHook['onFailure']

type FieldsProps = {
  kind: HookKind
  url: string
  setUrl: (url: string) => void
  onFailure: OnFailure
  setOnFailure: (mode: OnFailure) => void
}

const HookFields = ({ kind, url, setUrl, onFailure, setOnFailure }: FieldsProps) => (
  <>
    <TextField
      label="URL"
      type="url"
      placeholder="https://app.example/latchkey"
      value={url}
      onChange={({ target }) => setUrl(target.value.trim())}
    />
    <SelectField
      label="Without a valid answer"
      options={[
        ['allow', failures[kind].allow],
        ['deny', failures[kind].deny],
      ]}
      value={onFailure}
      onChange={({ target }) => setOnFailure(target.value as OnFailure)}
    />
  </>
)

function CreateHook({ app, kind }: { app: string; kind: Exclude<HookKind, 'message.send'> }) {
  const [url, setUrl] = useState('')
  const [onFailure, setOnFailure] = useState<OnFailure>('deny')
  return (
    <Action
      label="Add a hook"
      title={titles[kind]}
      verb="Add"
      isDisabled={!URL.canParse(url)}
      route={routes.createHook}
      input={{ params: { app }, body: { kind, url, onFailure } }}
    >
      <HookFields {...{ kind, url, setUrl, onFailure, setOnFailure }} />
    </Action>
  )
}

function Hook({ hook }: { hook: AdminHook }) {
  const can = useCan()
  const params = { app: hook.appId, hook: hook.id }
  const { kind, state } = hook
  const isEnabled = state === 'enabled'
  // The hook receives login codes. Calls can only disable it.
  const isOfCommands = kind === 'message.send'
  return (
    <>
      <Facts
        rows={[
          [
            'State',
            <Badge key="s" tone={isEnabled ? 'good' : 'warning'}>
              {state}
            </Badge>,
          ],
          ['URL', hook.url],
          ['Without an answer', failures[kind][hook.onFailure]],
          ['Created', <Time key="c" at={hook.createdAt} />],
        ]}
      />
      {can('webhooks:write') && (
        <div className={styles.row}>
          <SigningSecrets route={routes.readHookSecret} params={params} />
          {!isOfCommands && <EditHook key={`${hook.url} ${hook.onFailure}`} hook={hook} />}
          {(isEnabled || !isOfCommands) && (
            <Action
              label={isEnabled ? 'Disable' : 'Enable'}
              title={isEnabled ? 'Disable this hook?' : 'Enable this hook?'}
              description={
                isEnabled
                  ? 'Your backend is asked no more.'
                  : 'Your backend is asked again within five seconds.'
              }
              verb={isEnabled ? 'Disable' : 'Enable'}
              route={routes.updateHook}
              input={{ params, body: { state: isEnabled ? 'disabled' : 'enabled' } }}
            />
          )}
          <Action
            label="Rotate the secret"
            title="Create another secret?"
            description="Earlier secrets sign too for 24 hours. Store the new one in your backend meanwhile."
            verb="Create secret"
            route={routes.rotateHookSecret}
            input={{ params }}
          />
          <Action
            label="Delete"
            title="Delete this hook?"
            description="Its secrets are deleted, too."
            verb="Delete hook"
            isDangerous
            route={routes.deleteHook}
            input={{ params }}
          />
        </div>
      )}
    </>
  )
}

function EditHook({ hook }: { hook: AdminHook }) {
  const { kind } = hook
  const [url, setUrl] = useState(hook.url)
  const [onFailure, setOnFailure] = useState(hook.onFailure)
  const body = {
    ...(url !== hook.url && { url }),
    ...(onFailure !== hook.onFailure && { onFailure }),
  }
  return (
    <Action
      label="Edit"
      title={titles[kind]}
      verb="Save"
      isDisabled={!URL.canParse(url) || Object.keys(body).length === 0}
      route={routes.updateHook}
      input={{ params: { app: hook.appId, hook: hook.id }, body }}
    >
      <HookFields {...{ kind, url, setUrl, onFailure, setOnFailure }} />
    </Action>
  )
}
