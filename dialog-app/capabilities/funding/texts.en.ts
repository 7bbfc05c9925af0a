import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  account: 'Add funds',
  prompt: {
    title: 'Fund account',
    detail: (app: string) => `${app} uses a card payment provider to fund your account`,
    points: [
      'The provider, MoonPay, opens in a new tab. It takes the payment and may ask who you are.',
      'Pay by debit card, credit card, or whatever else the provider offers where you are.',
      'What you buy is sent to your wallet. That usually takes a few minutes.',
    ],
    to: 'Your wallet',
    missing: (amount: string) => `${amount} is missing for your transaction.`,
    button: 'Continue to MoonPay',
    preparing: 'Preparing',
    failed: 'The payment could not be prepared.',
    retry: 'Try again',
    blocked: 'Your browser has blocked the page of the provider. Open it here.',
    perhapsBlocked: 'If you see no page of the provider, your browser may have blocked it.',
    open: 'Open MoonPay',
  },
  status: {
    title: 'Fund account',
    goOn: 'Continue',
    done: 'Done',
    of: {
      completed: {
        title: "You've funded your account!",
        detail: 'It may take a few minutes until you see it in your wallet.',
      },
      failed: {
        title: 'Something went wrong!',
        detail:
          'Your payment did not go through. Please contact MoonPay support. Debit cards often work better than credit cards.',
      },
      serviceFailure: {
        title: 'Provider error',
        detail: 'MoonPay does not say what became of your payment. If you paid, it sends you an email.',
      },
      waitingAuthorization: {
        title: 'Processing payment',
        detail: 'This may take a few hours. MoonPay sends you an email when your payment is done.',
      },
      pending: { title: 'In Progress', detail: 'Finish your payment in the tab of MoonPay.' },
      arrived: { title: 'Your funds have arrived', detail: 'They are in your wallet.' },
    },
  },
  receive: {
    row: 'Receive from somebody or another wallet',
    title: 'Receive',
    detail: 'Send to this address from another wallet or an exchange.',
    code: 'QR code of your address',
    address: 'Address',
    network: 'Network',
    numbered: (id: string) => `Number ${id}`,
    warning: (network: string) => `Send on ${network} only. What is sent on another network may be lost.`,
    warningAny: 'Send on the network of this wallet only. What is sent on another may be lost.',
    watching: 'This page shows when something arrives.',
    arrived: (amount: string) => `${amount} arrived`,
    faucet: 'Get test coins',
  },
  transfer: {
    row: 'Transfer from a wallet of yours',
    title: 'Transfer from a wallet',
    detail: 'Say how much. Then choose the wallet that pays, and confirm there.',
    amount: (symbol: string) => `Amount in ${symbol}`,
    problem: 'Enter an amount, such as 0.1.',
    button: 'Choose a wallet',
  },
  copy: { label: 'Copy address', done: 'Copied' },
} as const
export type FundingTexts = Widen<typeof english>
