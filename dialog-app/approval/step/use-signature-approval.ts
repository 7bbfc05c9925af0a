import { useRef, useState } from 'react'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { requestSignature, type SignaturePorts, type SignatureToApprove } from '../confirmed-signature.ts'
import { type ApprovalInScreen, useApproval } from './use-approval.ts'

type Request = [request: SignatureToApprove['request']]
type Options = Omit<SignatureToApprove, 'request'>

type SignatureApproval = ApprovalInScreen<Request> & {
  /** The server's latest answer. */
  answer: ConfirmedRequest | undefined
}

/** Asks for the approval of signatures. An earlier answer and the window of the host page serve the first request. */
export function useSignatureApproval(ports: SignaturePorts, options: Options): SignatureApproval {
  const [answer, setAnswer] = useState(options.answer)
  const isFirst = useRef(true)
  const approval = useApproval<Request>((card, onShown, request) => {
    const first = isFirst.current ? options : { ...options, answer: undefined, window: undefined }
    isFirst.current = false
    return requestSignature(ports, card, { ...first, request }, setAnswer, onShown)
  })
  return { ...approval, answer }
}
