import type { SignInWords } from './sign-in-words.ts'

const tellIt = 'Nothing you did is wrong. Tell IT: the program’s log says more.'
const later = 'Try again in a minute. If it stays like this, tell IT. Calendars go on as before.'

/** Of signing in and out, in English. */
export const enSignIn: SignInWords = {
  title: 'Sign in',
  again: 'Try again',
  signOut: 'Sign out',
  refusals: {
    unknown_mail: {
      heading: 'Nobody here has this mail address',
      text: 'You signed in at your company, but its list of people has nobody with the mail address of that account.',
      hint: 'Ask HR which mail address they have for you. If you have several accounts, sign out of this one at your company’s sign-in first, then try again with the other one.',
    },
    mail_of_several: {
      heading: 'Several people have this mail address',
      text: 'The list of people has the mail address of your account more than once, so it does not say who you are.',
      hint: 'Ask HR to correct it, then try again.',
    },
    unverified_mail: {
      heading: 'Your mail address is not confirmed',
      text: 'Your company’s sign-in does not say that the mail address of your account is really yours.',
      hint: 'Confirm the address in your account, if it asks for that; otherwise tell IT.',
    },
    no_mail: {
      heading: 'Your account tells no mail address',
      text: 'You signed in at your company, but it did not tell us a mail address to find you by.',
      hint: 'If you were asked what may be passed on, allow the mail address; otherwise tell IT.',
    },
    no_id: {
      heading: 'Your account does not say who you are',
      text: 'You signed in at your company, but it did not tell us the personnel id to find you by.',
      hint: 'Tell IT that this is missing from your account.',
    },
    unknown_id: {
      heading: 'Nobody here has this personnel id',
      text: 'You signed in at your company, but its list of people has nobody with the personnel id of that account.',
      hint: 'Ask HR which id they have for you.',
    },
    id_of_several: {
      heading: 'People of several companies have this personnel id',
      text: 'More than one company knows the personnel id of your account, so it does not say who you are.',
      hint: 'Tell IT: people must be told apart by their mail address here.',
    },
    has_left: {
      heading: 'This account is of somebody who has left',
      text: 'By the list of people, whoever this account belongs to no longer works here.',
      hint: 'If you still do, ask HR.',
    },
    groups_left_out: {
      heading: 'Your account is in too many groups',
      text: 'Your company’s sign-in leaves out the groups of accounts that are in very many, so it does not say what you may do here.',
      hint: 'Tell IT: the sign-in must tell only the groups, or a role, that this program needs.',
    },
    not_begun_here: {
      heading: 'This sign-in cannot be finished',
      text: 'It was begun in another browser, took longer than ten minutes, or was finished already.',
      hint: 'Begin once more, in this browser.',
    },
    cancelled: {
      heading: 'You are not signed in',
      text: 'The sign-in was cancelled, or your company does not allow it for your account.',
      hint: 'Try again, or ask IT whether your account may use this program.',
    },
    code_refused: {
      heading: 'This sign-in is no longer valid',
      text: 'Your company’s sign-in did not accept it a second time, or it had taken too long.',
      hint: 'Begin once more. If that does not help, tell IT.',
    },
    answer_wrong: {
      heading: 'The answer of the sign-in does not check out',
      text: 'What came back is not what your company’s sign-in was asked for, so nobody was signed in.',
      hint: 'Try again. If it happens once more, tell IT: the program’s log says more.',
    },
    provider_away: {
      heading: 'Sign-in does not answer',
      text: 'Your company’s sign-in cannot be reached at the moment.',
      hint: later,
    },
    provider_wrong: {
      heading: 'Sign-in does not work at the moment',
      text: 'Your company’s sign-in gave an answer that makes no sense.',
      hint: later,
    },
    set_up_wrong: {
      heading: 'Sign-in is not set up correctly',
      text: 'Your company’s sign-in does not accept this program as it is set up.',
      hint: tellIt,
    },
  },
  company: {
    heading: 'In which company?',
    text: 'Several companies know you by your account. Choose the one in which you want to sign in.',
  },
  staff: {
    heading: 'Console',
    signedIn: (who, role) => `${who} is signed in with the role ${role}.`,
    documentation: 'API documentation',
    ownCalendar: 'Your own calendar',
  },
}
