import type { LostLinkWords } from './lost-words.ts'

/** What is said in English to who has lost their link. */
export const enLost: LostLinkWords = {
  text: 'Nobody can look yours up: it is a secret that is kept nowhere. But you can get a new one by mail, at the address that your company has for you.',
  label: 'Your mail address at work',
  action: 'Mail me a new link',
  answer: {
    heading: 'Look into your mail',
    text: 'If your company knows this address and has a calendar for you, a new link is on its way to you.',
    hint: 'It should be there within a few minutes; look among unwanted mail, too. If nothing comes, ask HR for a new link. Links that you have go on; only one that was mailed to you in this way before ends, once you have subscribed by the new one.',
    back: 'Back',
  },
}
