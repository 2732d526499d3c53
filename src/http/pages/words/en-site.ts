import type { SignInRefusal } from '../../../access/sign-in/provider.ts'
import type { Role } from '../../../domain/access/staff.ts'
import type { FormFault } from '../../../feeds/self-service/own-calendar.ts'
import type { Notice } from './en-feed.ts'

interface ErrorWords extends Notice {
  readonly hint: string
}

const tellIt = 'You did nothing wrong. Tell IT: the program’s log has the details.'
const later =
  'Try again in a minute. If that does not help, tell IT. Calendars keep working as before.'

/** What all other pages say in English. */
export const enSite = {
  front: {
    title: 'Work calendars',
    heading: 'Your work calendar, in the calendar you already use',
    what: 'With a personal link, Google Calendar, Outlook, Apple Calendar and others show your leave, shifts, timesheets and tasks, and follow every change.',
    forWhom: 'It is for employees whose HR department hands out these links.',
    signIn: {
      heading: 'Your calendar',
      text: 'Sign in as you do elsewhere at your company to see your calendar, its links and its settings.',
      link: 'Sign in',
    },
    lost: {
      heading: 'Have you lost your link?',
      text: 'Ask HR for a new one. Nobody can look up yours: it is a secret that is not stored anywhere.',
      bySignIn:
        'Sign in and create a new one. Nobody can look up yours: it is a secret that is not stored anywhere.',
    },
    documentation: {
      heading: 'For HR and IT',
      text: 'Create calendars on the command line, or from programs over HTTP.',
      link: 'Documentation of the HTTP API',
    },
    sample: {
      heading: 'This is a sample company',
      text: 'No workforce system is connected yet. See what an employee of the sample company gets with her link:',
      link: 'Open Ada’s page',
    },
  },
  lost: {
    text: 'Nobody can look up yours: it is a secret that is not stored anywhere. But you can get a new one by email, at the address that your company has for you.',
    label: 'Your work email address',
    action: 'Mail me a new link',
    answer: {
      heading: 'Check your email',
      text: 'If your company knows this address and has a calendar for you, a new link is on its way to you.',
      hint: 'It should arrive within a few minutes; check your spam folder, too. If nothing arrives, ask HR for a new link. Your other links keep working. Only a link that was emailed to you like this before ends, once you subscribe with the new one.',
      back: 'Back',
    },
  },
  signIn: {
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
        text: 'According to the list of people, the owner of this account no longer works here.',
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
        hint: 'Try again. If it happens once more, tell IT: the program’s log has the details.',
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
    } satisfies Record<SignInRefusal, ErrorWords>,
    company: {
      heading: 'In which company?',
      text: 'Several companies know you by your account. Choose the one in which you want to sign in.',
    },
    staff: {
      heading: 'Console',
      signedIn: (who: string, role: Role): string => `${who} is signed in with the role ${role}.`,
      documentation: 'API documentation',
      ownCalendar: 'Your own calendar',
    },
  },
  me: {
    title: 'My work calendar',
    saved: 'Saved. Calendar programs show the change the next time they check.',
    others: 'Your other calendars',
    signedIn: (who: string): string => `Signed in: ${who}`,
    signOutHint: 'Signing out here does not sign you out of your company’s other programs.',
    empty: {
      heading: (who: string): string => `Welcome, ${who}`,
      text: 'You have no calendar yet. Create it with one click: your leave, shifts, timesheets and tasks in the calendar program that you already use.',
      revoked: (date: string): string =>
        `HR ended your calendar and its links on ${date}. You cannot create another one yourself. If you still need one, ask HR to create it. You will then find it here.`,
      closed:
        'Your calendar is closed because your company’s records say that you have left. Once they say otherwise, it opens again automatically, with the links that you have. If it stays closed, ask HR.',
      action: 'Make my calendar',
    },
    links: {
      heading: 'Your links',
      hint: 'Each device or person gets its own link, so that you can end one without the others.',
      none: 'All of your links have ended. Make one below.',
      first: 'First link',
      mailed: 'Link that was emailed to you',
      onlyAway: 'Only “Away”',
      neverAsked: 'No calendar program has used it yet.',
      made: (date: string): string => `Made on ${date}.`,
      ends: (date: string): string => `Ends on ${date}: HR has replaced it.`,
      unused: (date: string): string =>
        `Ends on ${date} unless a calendar program uses it before then: a newer one was emailed to you.`,
    },
    newLink: {
      heading: 'Make another link',
      label: 'What is it for?',
      hint: 'Such as “phone” or “family”. Only you and HR see this.',
      awayHint:
        'For family or friends: it says that you are away, not why, and nothing else. The person who has it cannot change that.',
      action: 'Make',
    },
    replace: {
      summary: 'It leaked: replace its address',
      text: 'The old address stops working at once, for everybody who has it. You see the new one only once. Then subscribe to it.',
      confirm: 'I will subscribe again',
      action: 'Replace',
    },
    end: {
      summary: 'End this link',
      text: 'Calendar programs get nothing more through it. Your other links keep working.',
      confirm: 'It is no longer needed',
      action: 'End',
    },
    made: {
      heading: (label: string): string => `Your new link: ${label}`,
      text: 'It is ready. Add it to your calendar program now: this address is shown only once.',
      keep: 'It has its own page, for another device or for the person who will use it:',
      back: 'Back to my calendar',
    },
    faults: {
      not_known:
        'Nothing was made: your company’s system does not list you as an employee. Ask HR.',
      label_missing: 'Nothing was made: enter what the link is for.',
      label_unseen: 'Nothing was made: enter a name with visible characters.',
      label_unfit: 'Nothing was made: use at most 100 characters, and not only dots.',
      label_of_mail:
        'Nothing was made: “mail” is reserved for links that are emailed to replace a lost one. Choose another name.',
      label_in_use:
        'Nothing was made: you already have a link with this name. Choose another name.',
      too_many_links: 'Nothing was made: you have the maximum number of links. End one first.',
      nothing_shown: 'Nothing was made: your calendar shows no leave, so the link would be empty.',
      sent_before: 'Nothing was made: this form was already sent. Send it again for another link.',
      unconfirmed: 'Nothing was changed: tick the box first.',
    } satisfies Record<FormFault, string>,
  },
  waysOn: { own: 'To your own calendar', front: 'To the front page' },
  errors: {
    unknown_link: {
      heading: 'We do not know this link',
      text: 'Part of it may be missing.',
      hint: 'Open the complete link from your email again. If that does not help, ask HR for a new one.',
    },
    ended_link: {
      heading: 'This calendar link has ended',
      text: 'It was replaced or switched off, so calendar programs get nothing new through it. If you replaced it yourself, open the page of the new address. The old calendar stays in your programs until you remove it there:',
      hint: 'If you have no new address and still need one, ask HR.',
    },
    unknown_page: {
      heading: 'There is nothing here',
      text: 'This address leads nowhere.',
      hint: 'If you are looking for your calendar, open the link you received.',
    },
    unavailable: {
      heading: 'Not at the moment',
      text: 'This calendar cannot be opened right now.',
      hint: 'Try again in a few minutes. Calendar programs keep what they have until then.',
    },
    foreign_request: {
      heading: 'Nothing was changed',
      text: 'The request did not come from one of our pages.',
      hint: 'Open the page yourself, for example with the link you received, and try again there.',
    },
    not_allowed: {
      heading: 'Nothing was changed',
      text: 'HR has not allowed this choice for this calendar.',
      hint: 'Go back to see what you can choose, or ask HR.',
    },
    not_by_sign_in: {
      heading: 'Nothing was changed',
      text: 'The request did not come from one of our pages, or your sign-in does not allow it.',
      hint: 'Open your own page and try again there.',
    },
    not_open: {
      heading: 'You have no access to this page',
      text: 'It is for HR and IT only, who sign in or use a token.',
      hint: 'If you are looking for your calendar, open the link you received.',
    },
    invalid: {
      heading: 'Nothing was changed',
      text: 'This choice could not be read.',
      hint: 'Go back, reload the page and choose again.',
    },
    wrong_method: {
      heading: 'That does not work here',
      text: 'This address does not accept what your browser sent.',
      hint: 'If you are looking for your calendar, open the link you received.',
    },
    too_many_requests: {
      heading: 'One moment, please',
      text: 'Too many requests came from your network.',
      hint: 'Try again in a minute.',
    },
    too_many_today: {
      heading: 'No more for today',
      text: 'Nothing was changed: you have reached today’s limit of changes.',
      hint: 'Try again tomorrow. Everything stays as it was until then. If those changes were not yours, somebody else may know this link: ask HR for a new one.',
    },
    failure: {
      heading: 'Something went wrong here',
      text: 'This was our mistake, not yours.',
      hint: 'Try again in a few minutes. Calendar programs keep what they have until then.',
    },
  } satisfies Record<string, ErrorWords>,
}
