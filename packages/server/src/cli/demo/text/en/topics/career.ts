import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const career: Topic = {
  key: 'career',
  language: 'en',
  virtual: true,
  lists: {
    field: ['working life'],
    thing: words(
      `remote work, meetings, job interviews, salary talks, async writing, home offices, onboarding, code of conduct, notice periods, mentoring, part-time weeks, feedback, references, freelancing, focus time, time zones, changing careers, performance reviews`,
    ),
    gear: words(
      `standing desk, noise-cancelling headset, second monitor, decision log, shared calendar, whiteboard, daylight lamp, meeting agenda, portfolio, reference letter, contract, quiet room`,
    ),
    problem: words(
      `meetings without an agenda, being always online, a manager who vanishes, loneliness at home, unclear priorities, gossip, a bad review, unpaid overtime, chat at ten at night, imposter feelings, a noisy flat, ghosting after interviews`,
    ),
    doing: words(
      `blocking mornings for focus, writing instead of meeting, walking during calls, saying no with reasons, asking for feedback early, keeping a brag document, closing the laptop at five, working from the library, doing exit interviews, negotiating in writing`,
    ),
    did: words(
      `asked for a raise and got it, said no to a promotion, switched to four days, changed careers at 41, left without a new job, started freelancing, gave honest feedback upwards, deleted the chat app from my phone, got through six rounds of interviews, came back after a burn-out, hired somebody older than me, wrote down what I really do all day`,
    ),
    where: words(
      `across six time zones, in a small flat, in a big corporation, in a team of five, after parental leave, as the only remote person, in my fifties, in the public sector, on a fixed-term contract, in my first job`,
    ),
    goal: words(
      `ask for a raise, stop working at nine in the evening, get through interviews, give feedback that lands, work from home with children, choose between two offers, leave on good terms, run a meeting in twenty-five minutes, find a mentor, return after a long break, work four days, change careers`,
    ),
  },
  cases: [
    {
      titles: lines(`
        How do I ask for {k=8-25} percent more?
        Raise talk [next week|on {day}], nervous
        {k=2-6} years without a raise`),
      story: lines(`
        {k=2-6} years in the same job, more responsibility every year, the same pay plus inflation, roughly. New colleagues start at {k2=8-25} percent more, as I learnt [by accident|at lunch].
        I have a talk with my manager on {day}. I would like {k2=8-25} percent more, and I am bad at this. I work {where}.`),
      ask: lines(`
        What do I say first?
        Number or no number?`),
      answers: lines(`
        A number, first, calmly, and then silence. The silence is the hard part.
        Bring three results, in one sentence each. Not hours, results.
        “What would have to be true for this to be possible?” works better than an ultimatum.
        Find out what the market pays. {k2=8-25} percent is normal after {k=2-6} years.
        Do not mention your rent. It is about what you bring.
        Get an outside offer only if you would really take it.`),
    },
    {
      titles: lines(`
        Working from home and never off
        Always online, {where}
        How do you end the day?`),
      story: lines(`
        My desk is {1-3} metres from my bed. I start at eight and at {20-22} I am still “just answering this one”. {Span} of it now.
        Colleagues {where} are awake when I go to bed. So there is always something to answer.`),
      ask: lines(`
        What is your ritual?
        How do you tell the team?`),
      answers: lines(`
        A walk round the block before and after. My commute is eight minutes long.
        Laptop into a drawer. Out of sight works like a charm on my primitive brain.
        Say when you answer, in your profile, and stick to it. Nobody died.
        Separate user account for work. No private browser tab, no chat after logging out.
        Ask whether anyone expects it. Nobody had, it was all me.
        Plans at six with a person who waits for you. Dogs count.`),
    },
    {
      titles: lines(`
        Changing careers at {k=32-56}
        Too old at {k=32-56} to start again?
        From [teaching|nursing|sales|the lab] into something new at {k=32-56}`),
      story: lines(`
        I am {k=32-56}, good at my job, and tired of it. For {span} I have been learning [to program|carpentry|bookkeeping] in the evenings. Now there is an offer: junior, {20-40} percent less.
        {k=32-56}, two children, mortgage. I know what I want to do. I just do not know whether one does that at {k=32-56}.`),
      ask: lines(`
        Who has done it?
        What do you regret, what not?`),
      answers: lines(`
        Did it at 47. The first year was humiliating, the second one was the best of my life.
        Your old job is not lost. I explain things better than anyone here, because I was a teacher.
        Count the money for eighteen months, write it down, then decide. Fear gets smaller with numbers.
        Part-time in both for half a year, if they let you.
        At {k=32-56} you have more years of work in front of you than you think.
        I tried and went back. Not a failure, I like my old job better now.`),
    },
    {
      titles: lines(`
        {k=3-8} interview rounds and a no
        Ghosted after {k=3-8} rounds
        How do you take rejections?`),
      story: lines(`
        {k=3-8} rounds, a take-home task of {4-14} hours, a friendly lunch. Then [nothing|a no in two lines]. It is the {2-5}th this year.
        They said “by the end of the week”. That was {3-8} weeks ago. {k=3-8} rounds, everyone so nice.`),
      ask: lines(`
        Do you ask for reasons?
        How do you keep going?`),
      answers: lines(`
        Ask once, politely. One in five answers, and that one was useful.
        More than three rounds: I ask at the start how many there will be. Their answer tells you a lot.
        It is mostly not about you. I have been on the other side: budget gone, boss changed, nephew hired.
        Take-home over four hours only if paid. Say it with a smile.
        Keep one thing in the week that goes well without them.
        {k=3-8} rounds means you were good enough. Somebody else was lucky.`),
    },
  ],
  shows: lines(`
    It took {2-9} weeks, {1-4} drafts and a friend who made me practise aloud.
    The answer was “we wondered when you would ask”.
    {7-14} people in the meeting became four, and sixty minutes became twenty-five.
    I was shaking. Nobody noticed, I am told.
    My calendar has holes in it, and in the holes things get done.
    I earn {5-20} percent less and sleep {20-40} percent more.
    The farewell cake said “finally”. I choose to find that funny.
    I wrote it all down first: two pages, then one, then five sentences.`),
  details: lines(`
    The team is {4-14} people in {2-6} countries.
    My manager was surprisingly relaxed.
    I had the numbers on a card in my pocket.
    HR needed {2-7} weeks for a signature.
    We now do it every second {day*}.
    The contract says {24-40} hours, and for the first time I believe it.
    It is not for everybody, I know.
    My desk has a window now.`),
  tips: lines(`
    Write the agenda or cancel the meeting.
    Ask for the number before you name yours.
    Keep a file of things that went well.
    Say what you will not do.
    Put decisions in writing on the same day.
    Take your holidays, all of them.
    Praise in public, criticise in private.
    Answer tomorrow what makes you angry today.
    Turn off notifications before you turn off people.
    Ask newcomers what is odd here, they still see it.
    Leave five minutes between two calls.
    Read the contract twice, the second time aloud.
    Learn the names of the people who clean your office.`),
  opinions: lines(`
    Most meetings are a message that was afraid of being written.
    Open-plan offices were a mistake, and we knew it.
    Loyalty should be paid in money, not in pizza.
    Being busy is not the same as being useful.
    The best managers I had were a bit boring.
    “We are like a family” is a warning.
    Junior people need more time and less praise.
    Four days are enough for nearly every desk job.
    Job titles are free, that is why we get so many.
    Feedback once a year is weather, not feedback.`),
  replies: lines(`
    How did your manager react?
    Good for you. I wish I had done that at the time.
    Is that in writing?
    We tried this and kept it.
    What did you say in the first sentence?
    HR here: please do ask. Most people do not.
    I left a job like that, best decision ever.
    Depends on the country, here that would be illegal.
    Keep the receipts.
    Freelancer here: add thirty percent.
    I am stealing the sentence with the silence.
    Good luck on {day*}, we keep our fingers crossed!`),
  polls: [
    { question: 'Where do you work best?', options: ['At home', 'In the office', 'In a café', 'On a train', 'Nowhere on Mondays'] },
    { question: 'How many hours of meetings a week?', options: ['Under 3', '3 to 8', '8 to 15', 'I am in one right now'] },
    { question: 'Four-day week with less pay?', options: ['At once', 'With ten percent less', 'Only for the same pay', 'No'] },
  ],
  resources: [
    ['The twenty-five minute meeting', 'a rulebook on one page'],
    ['Writing for colleagues', 'so that they read to the end'],
    ['Salary talks, word for word', 'five transcripts'],
    ['The long way back', 'after burn-out, told without pathos'],
    ['Time zones are people', 'how a team of nine stays sane'],
    ['Leaving well', 'letters of resignation through a century'],
    ['The brag document', 'why and how'],
    ['Changing lanes', 'twelve people over forty'],
  ],
}
