import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const cycling: Topic = {
  key: 'cycling',
  language: 'en',
  lists: {
    field: ['cycling'],
    thing: words(
      `bike commuting, bikepacking, tubeless tyres, gravel rides, cargo bikes, long climbs, winter riding, audax, steel frames, hub gears, night rides, group rides, folding bikes, overnighters, dynamo lights, saddle height, touring with children, chain waxing`,
    ),
    gear: words(
      `torque wrench, saddlebag, dynamo hub, floor pump, bike computer, chain checker, frame bag, cargo trailer, pair of mudguards, work stand, rain cape, bar-end mirror, steel tourer, multi-tool, cassette lockring tool, front rack`,
    ),
    problem: words(
      `a creaking bottom bracket, headwinds, numb hands, saddle sores, slow punctures, skipping gears, drivers on their phones, tyres that will not seat, squealing brakes, a bent derailleur hanger, knee pain, cobbles, a stolen light`,
    ),
    doing: words(
      `waxing the chain, truing wheels, riding to work, packing light, planning routes on paper, fixing punctures by the roadside, climbing slowly, riding at night, overhauling hubs, cleaning the drivetrain, sleeping under a tarp, carrying a cello by bike`,
    ),
    did: words(
      `rode my first hundred, crossed the pass, built a wheel, commuted for a whole winter, repaired a stranger’s puncture, sold the car, rode through the night, rebuilt my grandfather’s bike, moved house by cargo bike, finished a 300 km audax, toured with a four-year-old, fitted mudguards that do not rattle`,
    ),
    where: words(
      `in the rain, on gravel, against the wind, in city traffic, along the river, with a trailer, at minus five, over the pass, on a three-speed, at night, with panniers, on cobbles`,
    ),
    goal: words(
      `stop a bottom bracket from creaking, ride to work in winter, get up steep hills, find a comfortable saddle, pack for a week, fix a puncture in five minutes, carry two children, ride 200 km in a day, choose tyre pressure, get home when something breaks, keep a bike from being stolen, plan a tour without main roads`,
    ),
  },
  cases: [
    {
      titles: lines(`
        Creak with every pedal stroke
        The creak that {k=3-9} new parts did not cure
        Clicking from the bottom bracket – or is it?`),
      story: lines(`
        Under load there is a creak, once per turn, [right|left] side. I have replaced {k=3-9} parts by now, and it is still there, only with cleaner parts.
        It began after a ride in the rain. Click, click, click, only uphill and only when I sit. {k=3-9} suspects, no proof.`),
      tried: lines(`
        Pedals greased, chainring bolts tightened, bottom bracket out and in again.
        Standing up it [goes away|is worse].`),
      ask: lines(`
        How do you find the source?
        What was it in your case?`),
      answers: lines(`
        Only when seated: saddle rails or seatpost. Take it out, clean, thin layer of grease, torque it.
        Swap the pedals with another bike first. Two minutes, half of all creaks.
        Quick release! Mine sounded exactly like the bottom bracket and was a dry skewer.
        Chainring bolts, one by one, with threadlock. The sound travels through the frame, never trust your ears.
        Derailleur hanger. Take it off, a drop of grease, back on.
        I had {k=3-9} weeks of that. It was the bottle cage.`),
    },
    {
      titles: lines(`
        Commuting {k=8-25} km through the winter
        {k=8-25} km to work: what do you wear?
        Winter commute – tips wanted`),
      story: lines(`
        I want to keep riding this winter, {k=8-25} km each way, half of it [unlit|on a canal path]. There is a shower at work, but [cold|only for the fast ones].
        Last year I gave up in November. {k=8-25} km, rain from the side, and I arrived looking like [the canal|a wet dog].`),
      ask: lines(`
        Clothes, lights, tyres: what is worth the money?
        What do you do on ice?`),
      answers: lines(`
        Dynamo light. You stop thinking about batteries and that is half of the battle.
        Full mudguards with a flap. More important than any jacket.
        Studded tyres from the first frost. Slow and loud, and you never fall.
        Start cold. If you are warm at the door you will be soaked after two kilometres.
        Wool underneath, something that blocks wind on top, spare socks at work.
        On ice I take the bus and call it a rest day.
        {k=8-25} km is a good distance: long enough to get warm, short enough to be stubborn.`),
    },
    {
      titles: lines(`
        Numb hands after {k=20-70} km
        Saddle, reach or bars? Hands go to sleep
        Comfort on long rides: where to start?`),
      story: lines(`
        After {k=20-70} km two fingers go numb, after twice that I shake my hands at every crossing. The bike is {span} old and was never fitted.
        I can ride {k=20-70} km without thinking about it. Then come the hands, then the neck, then everything else.`),
      ask: lines(`
        What should I change first?
        Is a bike fit worth the money?`),
      answers: lines(`
        Saddle tilt. If it points down only a little, you carry yourself on your hands. Level, then ride.
        Move the saddle *back*, not the bars up. Your hips should hold you.
        Wider tyres, less pressure. I went from 28 to 38 mm, and my hands stopped talking.
        Change grip every ten minutes, and double bar tape.
        Fit is worth it when you ride more than {k=20-70} km regularly. I waited ten years, silly.
        Core strength. I know, nobody wants to hear it.`),
    },
    {
      titles: lines(`
        What to pack for {k=3-14} days?
        First tour, {k=3-14} days, {where}
        Packing list for {k=3-14} days with a tent`),
      story: lines(`
        {k=3-14} days, about {50-90} km a day, tent, stove, and {a gear}. My list weighs {14-24} kilos, and I live {where}.
        First tour with {buddy*}. {k=3-14} days along a river, so nothing steep. I tend to take everything.`),
      ask: lines(`
        What would you leave at home?
        What do you always miss when you forget it?`),
      answers: lines(`
        Half of the clothes. One set for riding, one for the evening, wash by hand.
        The stove, if there are villages. Bread and cheese weigh nothing and taste better.
        Never without: a spare gear cable, zip ties, a needle and thread.
        Take a second pair of dry socks that you only wear in the tent. Luxury.
        Pack it, ride thirty kilometres with it, unpack what you did not touch.
        Sandwich bags for everything. Rain finds the smallest hole.`),
    },
  ],
  shows: lines(`
    {42-310} km, {300-3800/10} metres up, {2-5} bakeries.
    The last climb took {25-90/5} minutes, and a child on a scooter overtook me. Twice.
    {2-6} punctures, all on the same wheel, all in the rain.
    The bike is from {1974-1998}, the tyres are new, the rider is somewhere in between.
    We camped behind a church, and the priest brought coffee.
    It cost {30-160} in parts and all of my Sundays.
    The headwind was with me all day, if you know what I mean.
    Average speed {14-28} km/h, average mood ten out of ten.`),
  details: lines(`
    Tyres are {32-50} mm at {2-4} bar, and I would not go back.
    The {gear} paid for itself on the first day.
    I changed the cassette for an {11-12}-{34-42}, my knees send thanks.
    Total weight with water was {11-32} kilos.
    The route is mostly gravel with {5-30} kilometres of road.
    The chain has been waxed since {span*}, no black fingers.
    There is a café at the top. Of course there is.
    Navigation by paper map, with one wrong turn that was worth it.`),
  tips: lines(`
    Check the tyre for glass before you put in the new tube.
    Lower the pressure when it is wet.
    Shift before the hill, not on it.
    Oil the chain on the inside and wipe off what you can.
    Carry a tenner; it is money, a tyre boot and a bribe.
    Eat before you are hungry.
    Set the saddle level and stop fiddling.
    Put a drop of grease on every thread.
    Look where you want to go, never at the pothole.
    Brake before the bend.
    Lock the frame, then the wheel, then yourself out of worrying.
    Practise the tyre change at home, in the warm.
    Wave to other riders.
    Take the lane when it is too narrow to share.`),
  opinions: lines(`
    Mudguards are the best upgrade, and the ugliest bike is the one that stays at home.
    Speed is overrated, arriving is underrated.
    Wide tyres are faster where roads are real.
    A bike shop that sends you away with a cheaper solution deserves your loyalty.
    E-bikes have put more people on bikes than any campaign.
    Helmet debates are a way of not talking about cars.
    Nobody needs more than eleven gears.
    Steel is not nostalgia, it is repairable.
    The best bike computer is a bell.
    Cargo bikes are what SUVs pretend to be.`),
  replies: lines(`
    What tyres are those, and at what pressure?
    Headwind all day? Then you have earned the cake.
    I had exactly that creak. Seatpost!
    Which route did you take over the hill?
    Beautiful frame. Is that the original paint?
    Tubeless or tubes?
    The wave from other riders is the best part of it.
    How are the knees?
    I ride that road every {day*}, come by for {drink*}.
    Mudguards! Finally a bike with mudguards.
    Do you have the GPX?
    Nice. I would have taken the train at kilometre {20-80}.`),
  polls: [
    { question: 'How many bikes do you own?', options: ['One', 'Two', 'Three or four', 'n + 1', 'I borrow'] },
    { question: 'Chain: oil or wax?', options: ['Oil', 'Wax', 'Whatever is in the shed', 'Belt drive'] },
    { question: 'In the rain?', options: ['I ride', 'I ride and complain', 'Bus', 'I look out of the window'] },
  ],
  resources: [
    ['A wheel in one evening', 'building, lacing, truing, with good photos'],
    ['The quiet roads atlas', 'made by riders, for riders'],
    ['Tyre pressure, measured', 'with numbers that surprised me'],
    ['A winter on studs', 'commuting at 60 degrees north'],
    ['Touring on a three-speed', 'slow, funny, wise'],
    ['Where creaks come from', 'a flow chart for the desperate'],
    ['Bike fit at home', 'a plumb line, a spirit level, a friend'],
    ['Sleeping outside legally', 'country by country'],
  ],
}
