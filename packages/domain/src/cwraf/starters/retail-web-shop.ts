import { starterVignette } from './starter-vignette.ts';

export const retailWebShop = starterVignette({
  name: 'Retail web shop',
  description:
    'A shop on the internet with customer accounts, a product catalogue, orders and card payments through a payment provider.',
  domain: 'E-commerce',
  archetypes: ['Web browser', 'Web server', 'Database', 'General-purpose operating system'],
  businessValueContext:
    'Card and customer data must stay confidential: a leak must be reported and costs trust. Prices and orders must be right. Each hour offline costs sales, most of all in the weeks before holidays. The payment card standard (PCI DSS) applies.',
  ratings: {
    'Modify data': [
      [8, 'Changed files of the server can add a script that copies card numbers.'],
      [9, 'Changed prices, orders or refunds cost money at once.'],
      null,
      [7, 'Shared services such as stock and accounting receive wrong orders.'],
    ],
    'Read data': [
      [8, 'Memory and files of the server hold sessions, keys and card data in transit.'],
      [9, 'A leak of customer and card data must be reported to authorities and card brands.'],
      [6, 'Traffic inside the data centre shows sessions and personal data.'],
      [7, 'Customer data of other sales channels can be read.'],
    ],
    'DoS: unreliable execution': [
      [5, 'A server that crashes restarts within minutes; carts are lost.'],
      [6, 'Customers leave when the checkout fails.'],
      null,
      [5, 'Stock and delivery data become outdated.'],
    ],
    'DoS: resource consumption': [
      [5, 'More servers can be added, at a cost.'],
      [6, 'A slow shop sells less; in the weeks before holidays the loss is large.'],
      [6, 'The shop cannot be reached.'],
      [5, 'Other sales channels are slow too.'],
    ],
    'Execute unauthorized code or commands': [
      [10, 'The attacker controls the server: card theft and ransomware begin here.'],
      [9, 'Code in the shop page can read every card number that is entered.'],
      null,
      [9, 'From shared infrastructure all systems of the company can be reached.'],
    ],
    'Gain privileges / assume identity': [
      [8, 'An administrator of the server can do everything above.'],
      [8, 'Orders and refunds in the name of customers, or changes by a false shop manager.'],
      null,
      [8, 'A false administrator can enter other systems of the company.'],
    ],
    'Bypass protection mechanism': [
      [6, 'Weakens the server; another weakness is needed for damage.'],
      [7, 'Without fraud checks and limits, stolen cards are tried out in the shop.'],
      [6, 'Internal services can be reached from outside.'],
      [6, 'Controls that are shared with other systems no longer protect.'],
    ],
    'Hide activities': [
      [5, 'An intrusion is found later and costs more.'],
      [5, 'Fraud is found late, and orders cannot be explained.'],
      null,
      [5, 'The extent of a leak cannot be reported in time.'],
    ],
  },
});
