import { Heading, Stack } from './stack.tsx'
import { StatusSeal } from './status-seal.tsx'
import { Lead, Title } from './title.tsx'

type SuccessProps = { readonly title: string; readonly detail?: string }

/** It is done, and there is nothing more to do. */
export const Success = ({ title, detail }: SuccessProps) => (
  <Stack>
    <StatusSeal status="done" />
    <Heading>
      <Title>{title}</Title>
      {detail !== undefined && <Lead>{detail}</Lead>}
    </Heading>
  </Stack>
)
