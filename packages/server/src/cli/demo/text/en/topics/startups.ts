import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const startups: Topic = {
  key: 'startups',
  language: 'en',
  virtual: true,
  lists: {
    field: ['running a small company'],
    thing: words(
      `customer interviews, pricing, cold e-mail, bootstrapping, hiring the first employee, landing pages, churn, co-founder agreements, support as marketing, side projects, annual plans, remote teams, invoices, niche markets, product-led growth, saying no, open metrics, small teams`,
    ),
    gear: words(
      `landing page, waiting list, spreadsheet, support inbox, roadmap, newsletter, changelog, referral programme, free tier, demo video, bookkeeping tool, contract template, help centre, onboarding e-mail`,
    ),
    problem: words(
      `churn after the first month, feature creep, late invoices, imposter syndrome, a co-founder who drifts away, silent users, discount hunters, a copycat, burn-out, support at midnight, VAT, chargebacks, scope creep`,
    ),
    doing: words(
      `talking to users every week, answering support myself, raising the price, writing the newsletter, deleting features, doing sales calls, keeping a decision log, shipping on Tuesdays, writing invoices at once, walking without a phone, reading every cancellation`,
    ),
    did: words(
      `got the first paying customer, raised the price by half, killed a feature nobody used, quit my job, hired our first employee, said no to an investor, reached break-even, fired a customer, moved to annual plans, rewrote the landing page for the ninth time, took a real holiday, closed the company properly`,
    ),
    where: words(
      `as a solo founder, with a full-time job, in a boring market, with two children, outside the big cities, without funding, in a team of four, in a regulated industry, with a free tier, in Europe`,
    ),
    goal: words(
      `find the first ten customers, set a price, keep users after the first month, split equity fairly, get people to answer surveys, stop working at weekends, hire somebody better than me, write cold e-mails that are not spam, choose what not to build, get paid on time, leave a job without drama, sell to small businesses`,
    ),
    market: words(
      `dentists, choirs, bike shops, allotment societies, small breweries, driving schools, translators, riding stables, housing co-ops, wedding photographers, bakeries, sports clubs, museums, physiotherapists`,
    ),
  },
  cases: [
    {
      titles: lines(`
        {k=40-900} sign-ups, {k2=2-7} customers
        Everybody likes it, nobody pays
        Free users love it – how do I charge for it?`),
      story: lines(`
        We make software for {market}. {k=40-900} people have signed up, {k2=2-7} pay. In interviews they say “I would use that every day”. They do not.
        Launched {span} ago, for {market}: {k=40-900} accounts, friendly e-mails, {k2=2-7} invoices. The price is {9-49} a month.`),
      tried: lines(`
        I lowered the price once. It made no difference at all.
        I asked {10-40} of them why. “Too busy at the moment”, mostly.`),
      ask: lines(`
        Wrong people, wrong price or wrong product?
        What would you test next?`),
      answers: lines(`
        Watch what they pay for today. {Market} have a budget for something, find out what that is replaced by yours.
        Charge from day one to the next ten, no trial. You will learn more in a week than from {k=40-900} free ones.
        “I would use that” is politeness. Ask when they last had the problem and what they did.
        Raise the price. At {9-19} nobody takes you seriously in a business.
        Talk to the {k2=2-7} who pay. And call the three most active others and offer to set it up for them.
        {Market} do not sign up, they phone. Put a number on the page.`),
    },
    {
      titles: lines(`
        Splitting equity when one of us works part-time
        Co-founder leaves after {k=4-18} months
        50/50, or not?`),
      story: lines(`
        Two of us, one full-time, one {10-20/10} hours a week next to a job. After {k=4-18} months we [have a first customer|earn a little], and only now do we talk about shares.
        My co-founder wants out after {k=4-18} months. Nothing in writing, 50/50 by handshake. We are still friends, and I would like to keep it that way.`),
      ask: lines(`
        What is fair?
        How would you put it in writing?`),
      answers: lines(`
        Vesting, four years, one-year cliff, for both. Today, before there is money to fight over.
        A lawyer for two hours. Cheapest insurance you will ever buy.
        Equal split is fine if the commitment is equal. Hours are not the measure, risk is.
        After {k=4-18} months I would offer a small share and a thank-you, in writing, and mean both.
        Do the hard talk on a walk. Sitting opposite each other makes it a negotiation.
        We wrote a letter to ourselves, “what happens if…”, three pages. It has saved us twice.`),
    },
    {
      titles: lines(`
        Raising the price from {k=9-29} to {k2=35-79}
        How do you tell customers about a new price?
        Too cheap for {span} – what now?`),
      story: lines(`
        We charge {k=9-29} a month and it does not cover support. {k2=35-79} would. About {100-600} customers, mostly {market}, who [count every penny|hate changes].
        Started at {k=9-29} because I did not dare to ask for more. A competitor takes {k2=35-79} and does less.`),
      ask: lines(`
        Old customers too, or only new ones?
        How did you announce it?`),
      answers: lines(`
        New ones at once, old ones with six months’ notice and a personal letter. We lost four percent.
        Grandfather them for a year, not for ever. For ever is a long time to be annoyed.
        Do not apologise, explain. Two sentences: what it costs you, what they get.
        Offer annual at the old price until the end of the month. Best cash month we ever had.
        The ones who complain loudest were the ones who used support most. Let them go.`),
    },
    {
      titles: lines(`
        Working {k=50-80/5} hours and getting nowhere
        How do you switch off?
        Founder tiredness after {span}`),
      story: lines(`
        {k=50-80/5} hours a week for {span}. The numbers are all right, I am not. {Time*} I snapped at a customer who had done nothing wrong.
        I answer support at breakfast and in bed. Everyone says “take a break”, nobody says who answers meanwhile.`),
      ask: lines(`
        What has helped you?
        How do you take time off with nobody to replace you?`),
      answers: lines(`
        Put “we answer within one working day” on the page. Nobody minded. Nobody!
        A day without a screen, same day each week, in the calendar like a customer.
        Hire help for support first, five hours a week. It is cheaper than you are.
        See a doctor, please. I waited too long, it cost me a year.
        {k=50-80/5} hours are often thirty hours of work and a lot of worry. Track it for a week and look.
        You are not your company. Easy to say, I know.`),
    },
  ],
  shows: lines(`
    It took {3-26} months, {40-200} conversations and one very patient partner.
    {1-9} customers on the first day, all of them people I had talked to before.
    Revenue is {300-9000} a month. Not a fortune, but it is ours.
    The e-mail was four sentences long. Of {30-120} people {6-25} answered.
    We deleted {3-11} features. Not a single complaint, two thank-yous.
    It is for {market}, nobody will ever write an article about it, and I could not be happier.
    I cried a bit when the first payment came in, for {9-49} euros.
    The contract was signed on a beer mat and typed up the next day.`),
  details: lines(`
    No advertising, only calls and a newsletter with {90-900} readers.
    The stack is boring, and so is the bookkeeping.
    Support takes about {3-12} hours a week.
    Churn is at {1-6} percent, and I know most of the leavers by name.
    The hardest part was to ask for money.
    I keep my job for {2-3} days a week until it carries itself.
    All numbers are in the monthly letter, if you are interested.
    Our first employee is better than me at everything she does.`),
  tips: lines(`
    Talk to five customers before you write a line of code.
    Send the invoice on the day the work is done.
    Answer support yourself for the first year.
    Write down why you decided something.
    Charge more than feels comfortable.
    Put a phone number on the page.
    Say no with a reason and a recommendation.
    Keep six months of costs in the bank.
    Ship on Tuesday, never on Friday.
    Read every cancellation aloud.
    Sign the co-founder agreement while you still like each other.
    Build the boring part first, it is what they pay for.
    Ask when it last hurt and not whether they would like it.`),
  opinions: lines(`
    Most start-ups would be better off as small businesses.
    A waiting list is not validation, a bank transfer is.
    Nobody ever cancelled because of missing dark mode.
    Hustle culture is bad planning with good lighting.
    The best growth hack is answering e-mails.
    Free tiers attract people who want free things.
    Two founders is a marriage, three is a village council.
    You can only copy what is visible, so competition is overrated.
    Pitch decks are fiction; bank statements are not.
    Boring markets have the kindest customers.`),
  replies: lines(`
    How did you find the first ones?
    What do you charge, if I may ask?
    Congratulations, break-even is the real unicorn.
    I work with {market*}: they decide in January, never in summer.
    Have you put that in writing?
    Was that with or without ads?
    Raise the price. Always raise the price.
    We did the same and lost two customers, both of whom we do not miss.
    Could you share the e-mail?
    What does your churn look like after three months?
    I would talk to an accountant before I do that.
    Thank you for writing about the failures as well.`),
  polls: [
    { question: 'How do you finance it?', options: ['Savings', 'A day job', 'Customers', 'Investors', 'Family'] },
    { question: 'Hours a week, honestly?', options: ['Under 20', '20 to 40', '40 to 60', 'I stopped counting'] },
    { question: 'What costs you the most sleep?', options: ['Money', 'People', 'Bugs', 'Taxes', 'Nothing, I sleep well'] },
  ],
  resources: [
    ['Small and profitable', 'eleven companies under ten people'],
    ['The interview that does not lie', 'how to ask about the past and not about the future'],
    ['Pricing for the shy', 'exercises included'],
    ['Closing a company well', 'the checklist that I wish I had'],
    ['Cold mail with warm hands', 'real examples, with answer rates'],
    ['The co-founder letter', 'thirty questions to answer before you start'],
    ['Support is the product', 'a year in an inbox'],
    ['Boring markets', 'where the money hides'],
  ],
}
