// Written by `npm run docs` from the OpenAPI document. Do not edit.
export interface paths {
    "/v1/checkout-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List checkout sessions, newest first
         * @description Needs the scope `payments:read`.
         */
        get: operations["checkoutSessions.list"];
        put?: never;
        /**
         * Create a checkout session
         * @description Needs the scope `payments:write`.
         */
        post: operations["checkoutSessions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session
         * @description Needs the scope `payments:read`.
         */
        get: operations["checkoutSessions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an open session
         * @description Needs the scope `payments:write`.
         */
        post: operations["checkoutSessions.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what a buyer may see of a session */
        get: operations["checkoutSessions.getPublic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose how to pay */
        post: operations["checkoutSessions.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the payment, with a one-time code where one is required */
        post: operations["checkoutSessions.confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/checkout/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the payment methods: every corridor, with your setting or the platform’s default
         * @description Needs the scope `accounts:read`.
         */
        get: operations["checkoutSettings.get"];
        /**
         * Set the payment methods and who bears the fees; the methods are replaced as a whole
         * @description Needs the scope `accounts:write`.
         */
        put: operations["checkoutSettings.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links, newest first
         * @description Needs the scope `payments:read`.
         */
        get: operations["paymentLinks.list"];
        put?: never;
        /**
         * Create a payment link, which opens a new session for every visitor
         * @description Needs the scope `payments:write`.
         */
        post: operations["paymentLinks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{payment_link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment link
         * @description Needs the scope `payments:read`.
         */
        get: operations["paymentLinks.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a payment link, for new sessions; what it sells never changes
         * @description Needs the scope `payments:write`.
         */
        patch: operations["paymentLinks.update"];
        trace?: never;
    };
    "/v1/payment-links/{slug}/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what a buyer may see of a link */
        get: operations["paymentLinks.getPublic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{slug}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a link: a new checkout session of what it sells */
        post: operations["paymentLinks.sessions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments, newest first
         * @description Needs the scope `payments:read`.
         */
        get: operations["payments.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment, with the payer’s details
         * @description Needs the scope `payments:read`.
         */
        get: operations["payments.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{payment_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the amount that has arrived of a short payment
         * @description Needs the scope `payments:write`.
         */
        post: operations["payments.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the payments of this month so far, added up by currency, day and payment method
         * @description Needs the scope `payments:read`.
         */
        get: operations["summary.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{payment_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the receipt of a payment as a PDF
         * @description Needs the scope `payments:read`.
         */
        get: operations["payments.getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the payment methods, with their currencies */
        get: operations["paymentMethods.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{customer_id}/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cards that a customer has saved, newest first
         * @description Needs the scope `customers:read`.
         */
        get: operations["customers.paymentMethods.list"];
        put?: never;
        /**
         * Attach a saved card that has no customer yet to this customer
         * @description Needs the scope `customers:write`.
         */
        post: operations["customers.paymentMethods.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products, newest first
         * @description Needs the scope `products:read`.
         */
        get: operations["products.list"];
        put?: never;
        /**
         * Create a product
         * @description Needs the scope `products:write`.
         */
        post: operations["products.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a product, also an archived one
         * @description Needs the scope `products:read`.
         */
        get: operations["products.get"];
        put?: never;
        post?: never;
        /**
         * Archive a product: it can still be read, but not sold
         * @description Needs the scope `products:write`.
         */
        delete: operations["products.delete"];
        options?: never;
        head?: never;
        /**
         * Change a product; a new price applies to new sessions, `images` is replaced as a whole
         * @description Needs the scope `products:write`.
         */
        patch: operations["products.update"];
        trace?: never;
    };
    "/v1/product-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List product groups, newest first
         * @description Needs the scope `products:read`.
         */
        get: operations["productGroups.list"];
        put?: never;
        /**
         * Create a group of products of which a buyer picks one
         * @description Needs the scope `products:write`.
         */
        post: operations["productGroups.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/product-groups/{product_group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a product group, also an archived one
         * @description Needs the scope `products:read`.
         */
        get: operations["productGroups.get"];
        put?: never;
        post?: never;
        /**
         * Archive a product group: it can still be read, but not sold
         * @description Needs the scope `products:write`.
         */
        delete: operations["productGroups.delete"];
        options?: never;
        head?: never;
        /**
         * Change a product group; `products` is replaced as a whole
         * @description Needs the scope `products:write`.
         */
        patch: operations["productGroups.update"];
        trace?: never;
    };
    "/v1/utilities/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a PNG, JPEG or WebP image or a PDF of at most 10 MB; if unused, it is deleted after 24 hours
         * @description Needs the scope `products:write`. An organization sends at most 8 files at a time; further ones are answered with 429 TOO_MANY_REQUESTS.
         */
        post: operations["uploads.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/utilities/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an upload that nothing uses
         * @description Needs the scope `products:write`.
         */
        delete: operations["uploads.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reference/product-categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the product categories, and the sections to show them in */
        get: operations["reference.productCategories.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search customers, newest first
         * @description Needs the scope `customers:read`.
         */
        get: operations["customers.list"];
        put?: never;
        /**
         * Create a customer
         * @description Needs the scope `customers:write`.
         */
        post: operations["customers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{customer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer
         * @description Needs the scope `customers:read`.
         */
        get: operations["customers.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a customer; fields that are left out keep their values
         * @description Needs the scope `customers:write`.
         */
        patch: operations["customers.update"];
        trace?: never;
    };
    "/api/v1/payments/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds, newest first
         * @description Needs the scope `refunds:read`.
         */
        get: operations["refunds.list"];
        put?: never;
        /**
         * Refund a charge, in full or in part
         * @description Needs the scope `refunds:write`.
         */
        post: operations["refunds.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/refunds/{refund_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund
         * @description Needs the scope `refunds:read`.
         */
        get: operations["refunds.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/payins/{charge_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the newest refund of a charge
         * @description Needs the scope `refunds:read`.
         */
        get: operations["refunds.getOfCharge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes, without their evidence, newest first or by what is due first
         * @description Needs the scope `disputes:read`.
         */
        get: operations["disputes.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{dispute_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a dispute, with its evidence
         * @description Needs the scope `disputes:read`.
         */
        get: operations["disputes.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{dispute_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a dispute, which is lost then; after an early warning, refund the charge in full
         * @description Needs the scope `disputes:write`.
         */
        post: operations["disputes.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{dispute_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Store evidence as a draft, or submit it; fields that are left out keep their values
         * @description Needs the scope `disputes:write`.
         */
        patch: operations["disputes.evidence.update"];
        trace?: never;
    };
    "/v1/disputes/{dispute_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a dispute, oldest first, with links that open them for five minutes
         * @description Needs the scope `disputes:read`.
         */
        get: operations["disputes.documents.list"];
        put?: never;
        /**
         * Make an upload a private document of a dispute, for its evidence
         * @description Needs the scope `disputes:write`.
         */
        post: operations["disputes.documents.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{dispute_id}/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document of a dispute, with a link that opens it for five minutes
         * @description Needs the scope `disputes:read`.
         */
        get: operations["disputes.documents.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions, newest first
         * @description Needs the scope `subscriptions:read`.
         */
        get: operations["subscriptions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description Needs the scope `subscriptions:read`.
         */
        get: operations["subscriptions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the metadata, the card or the end of the trial
         * @description Needs the scope `subscriptions:write`.
         */
        patch: operations["subscriptions.update"];
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription, at the end of its period or now
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/uncancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a cancellation at the end of the period
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.uncancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a subscription, at the end of its period or now
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused subscription, or take a pause back
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/change-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the product or the quantity
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.changePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/preview-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a change of plan would book, without changing anything
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.previewChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/retry-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge the open invoice now
         * @description Needs the scope `subscriptions:write`.
         */
        post: operations["subscriptions.retryPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices, newest first
         * @description Needs the scope `invoices:read`.
         */
        get: operations["invoices.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invoice
         * @description Needs the scope `invoices:read`.
         */
        get: operations["invoices.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoice_id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invoice as a PDF
         * @description Needs the scope `invoices:read`.
         */
        get: operations["invoices.getPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{page_key}/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what a customer may see of an invoice */
        get: operations["invoices.getPublic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{page_key}/public/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an invoice as a PDF, by the key of its page */
        get: operations["invoices.getPublicPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{page_key}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open the checkout session in which an invoice is paid, or the one that is open already */
        post: operations["invoices.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoice_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an invoice: it is not to be paid any more
         * @description Needs the scope `invoices:write`.
         */
        post: operations["invoices.void"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoice_id}/retry-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge an open invoice now
         * @description Needs the scope `invoices:write`.
         */
        post: operations["invoices.retryPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{customer_id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a customer has: subscriptions, open invoices and cards
         * @description Needs the scopes `customers:read`, `subscriptions:read`, `invoices:read`.
         */
        get: operations["customers.getState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the portal for a customer: a token for an hour, shown once
         * @description Needs the scope `customer_sessions:write`.
         */
        post: operations["customerSessions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the customer, the merchant and what the session is for */
        get: operations["customerPortal.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the own name, phone number, address and language; fields that are left out keep their values */
        patch: operations["customerPortal.update"];
        trace?: never;
    };
    "/v1/customer-portal/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the customer’s subscriptions, newest first */
        get: operations["customerPortal.subscriptions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a subscription of the customer */
        get: operations["customerPortal.subscriptions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a subscription at the end of its period */
        post: operations["customerPortal.subscriptions.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/uncancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back the customer’s own cancellation */
        post: operations["customerPortal.subscriptions.uncancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/retry-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Charge the open invoice now */
        post: operations["customerPortal.subscriptions.retryPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Charge another saved card; what is open is charged to it at once */
        post: operations["customerPortal.subscriptions.setPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the plans that a subscription may change to */
        get: operations["customerPortal.subscriptions.plans.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/preview-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** See what a change of plan costs, without changing anything */
        post: operations["customerPortal.subscriptions.previewChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/subscriptions/{subscription_id}/change-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change to another plan of the product group; the difference is charged now */
        post: operations["customerPortal.subscriptions.changePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the customer’s invoices, newest first */
        get: operations["customerPortal.invoices.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/invoices/{invoice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an invoice of the customer */
        get: operations["customerPortal.invoices.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the customer’s saved cards, newest first */
        get: operations["customerPortal.paymentMethods.list"];
        put?: never;
        /** Begin to save a card: opens a checkout session that charges nothing */
        post: operations["customerPortal.paymentMethods.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer-portal/payment-methods/{payment_method_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a saved card that no subscription charges */
        delete: operations["customerPortal.paymentMethods.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the destinations for payouts, newest first, without deactivated ones
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.destinations.list"];
        put?: never;
        /**
         * Register a payout destination; it can be used once it has been approved
         * @description Needs the scope `payouts:write`.
         */
        post: operations["payouts.destinations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/destinations/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a bank who holds an account
         * @description Needs the scope `payouts:write`.
         */
        post: operations["payouts.destinations.resolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/destinations/{destination_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a destination, also a deactivated one
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.destinations.get"];
        put?: never;
        post?: never;
        /**
         * Deactivate a destination: it can still be read, but nothing is paid out to it
         * @description Needs the scope `payouts:write`.
         */
        delete: operations["payouts.destinations.delete"];
        options?: never;
        head?: never;
        /**
         * Change a destination; a new account, bank, wallet or number is reviewed again
         * @description Needs the scope `payouts:write`.
         */
        patch: operations["payouts.destinations.update"];
        trace?: never;
    };
    "/v1/reference/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the banks of a currency with their codes; empty if we keep no list for it */
        get: operations["reference.banks.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts, newest first
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.list"];
        put?: never;
        /**
         * Pay out to one of your destinations
         * @description Needs the scope `payouts:write`.
         */
        post: operations["payouts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the fee of a payout and when it would arrive
         * @description Needs the scope `payouts:write`.
         */
        post: operations["payouts.estimate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{payout_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balance_settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the payout schedules
         * @description Needs the scope `payouts:read`.
         */
        get: operations["balanceSettings.get"];
        put?: never;
        /**
         * Set the payout schedules; the schedule of each named currency is replaced as a whole
         * @description Needs the scope `payouts:write`.
         */
        post: operations["balanceSettings.set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversions/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a quote for a conversion; it is valid for five minutes and for one conversion
         * @description Needs the scope `conversions:write`.
         */
        post: operations["conversions.quotes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversions/quotes/{quote_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a quote
         * @description Needs the scope `conversions:read`.
         */
        get: operations["conversions.quotes.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversions, newest first
         * @description Needs the scope `conversions:read`.
         */
        get: operations["conversions.list"];
        put?: never;
        /**
         * Convert money at the price of a quote; a quote is used once
         * @description Needs the scope `conversions:write`.
         */
        post: operations["conversions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversions/{conversion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversion
         * @description Needs the scope `conversions:read`.
         */
        get: operations["conversions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balances, by currency
         * @description Needs the scope `balances:read`.
         */
        get: operations["balances.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed the balances, newest first
         * @description Needs the scope `balances:read`.
         */
        get: operations["balances.transactions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transfers that the account has sent, newest first
         * @description Needs the scope `transfers:read`.
         */
        get: operations["transfers.list"];
        put?: never;
        /**
         * Transfer available money to a connected account, or from one to its platform
         * @description Needs the scope `transfers:write`.
         */
        post: operations["transfers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/{transfer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transfer with its reversals; its receiver can read it too
         * @description Needs the scope `transfers:read`.
         */
        get: operations["transfers.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/{transfer_id}/reversals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a transfer, or a part of it, back
         * @description Needs the scope `transfers:write`.
         */
        post: operations["transfers.reversals.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/platform-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fees that the platform has earned, newest first
         * @description Needs the scope `platform_fees:read`.
         */
        get: operations["platformFees.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/platform-fees/{platform_fee_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a platform fee with its refunds; the account that has paid it can read it too
         * @description Needs the scope `platform_fees:read`.
         */
        get: operations["platformFees.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/platform-fees/{platform_fee_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a platform fee, or a part of it, to the account that has paid it
         * @description Needs the scope `platform_fees:write`.
         */
        post: operations["platformFees.refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the account’s settings in this environment
         * @description Needs the scope `accounts:read`.
         */
        get: operations["account.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the account’s settings in this environment; fields that are left out keep their values
         * @description Needs the scope `accounts:write`.
         */
        patch: operations["account.update"];
        trace?: never;
    };
    "/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your connected accounts, newest first
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.list"];
        put?: never;
        /**
         * Create a connected account, which is onboarded by the API or on the hosted page
         * @description Needs the scope `accounts:write`.
         */
        post: operations["accounts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account, with what it still has to provide
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what an account has stated; what was verified is verified again
         * @description Needs the scope `accounts:write`.
         */
        patch: operations["accounts.update"];
        trace?: never;
    };
    "/v1/accounts/{account_id}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the capabilities of an account, each with what it still needs
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.capabilities.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}/capabilities/{capability}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a capability of an account, with what it still needs
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.capabilities.get"];
        put?: never;
        /**
         * Ask for a capability of an account, or no longer
         * @description Needs the scope `accounts:write`.
         */
        post: operations["accounts.capabilities.request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the persons of an account, newest first
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.persons.list"];
        put?: never;
        /**
         * Add a person to an account: its representative, an owner or a director
         * @description Needs the scope `accounts:write`.
         */
        post: operations["accounts.persons.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}/persons/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a person of an account; secret numbers are not shown
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.persons.get"];
        put?: never;
        post?: never;
        /**
         * Remove a person from an account, with their document
         * @description Needs the scope `accounts:write`.
         */
        delete: operations["accounts.persons.delete"];
        options?: never;
        head?: never;
        /**
         * Change a person of an account; what was verified is verified again
         * @description Needs the scope `accounts:write`.
         */
        patch: operations["accounts.persons.update"];
        trace?: never;
    };
    "/v1/accounts/{account_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of an account and its persons, newest first, each with a link for five minutes
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.documents.list"];
        put?: never;
        /**
         * Add a company document in its slot; the newest one of a slot counts
         * @description Needs the scope `accounts:write`.
         */
        post: operations["accounts.documents.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}/onboarding-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the hosted onboarding page for an account: a link for an hour, shown once
         * @description Needs the scope `accounts:write`.
         */
        post: operations["accounts.createOnboardingLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/onboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what an onboarding link opens: the account, its platform, its documents, and where to go from the page */
        get: operations["onboarding.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/onboarding/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End an onboarding link before its hour is over: from then on it opens nothing */
        post: operations["onboarding.end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/onboarding/refresh-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find where the seller gets a new onboarding link, by the token of one that has ended */
        post: operations["onboarding.findRefreshUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/virtual-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List virtual accounts, newest first
         * @description Needs the scope `virtual_accounts:read`.
         */
        get: operations["virtualAccounts.list"];
        put?: never;
        /**
         * Create a virtual account of a customer, or your own; a second call returns the same one
         * @description Needs the scope `virtual_accounts:write`.
         */
        post: operations["virtualAccounts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/virtual-accounts/{virtual_account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a virtual account
         * @description Needs the scope `virtual_accounts:read`.
         */
        get: operations["virtualAccounts.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/webhooks/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the webhook URL and its secret; null switches delivery off
         * @description Needs the scope `webhooks:write`.
         */
        put: operations["webhooks.configuration.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/webhooks/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the webhook configuration
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.configuration.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to the configured URL
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.configuration.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints, newest first
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.endpoints.list"];
        put?: never;
        /**
         * Add an endpoint; the answer shows its secret. At most 10, beside the single-URL configuration
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.endpoints.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint and how its deliveries have gone
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.endpoints.get"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint; pending deliveries are skipped, past ones are kept
         * @description Needs the scope `webhooks:write`.
         */
        delete: operations["webhooks.endpoints.delete"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint; `enabled: true` also clears its failures
         * @description Needs the scope `webhooks:write`.
         */
        patch: operations["webhooks.endpoints.update"];
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the secret that signs the deliveries of an endpoint; each read is logged
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.endpoints.getSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an endpoint; the old one signs too until its grace period ends
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.endpoints.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an endpoint, whatever its filter
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.endpoints.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to an endpoint with their attempts, newest first
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.endpoints.deliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its attempts and the body that it sends, also if its endpoint was deleted since
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.deliveries.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again the events that an endpoint missed in a span of time, oldest first
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.endpoints.recover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries/{recovery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a recovery, also if its endpoint was deleted since
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.recoveries.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, newest first, also those that were sent to no endpoint
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.events.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event, with its deliveries to your endpoints and their attempts
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.events.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events/{event_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again, to one endpoint or to all whose filter includes it
         * @description Needs the scope `webhooks:write`.
         */
        post: operations["webhooks.events.resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as they happen, in the order of their sequence
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["events.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys of the organization, of both environments, newest first */
        get: operations["apiKeys.list"];
        put?: never;
        /** Create an API key; only this answer shows the secret */
        post: operations["apiKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/api-keys/{api_key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an API key: once this has answered, it no longer works */
        post: operations["apiKeys.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what an API key may do */
        patch: operations["apiKeys.update"];
        trace?: never;
    };
    "/api/v1/auth/login/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a login; the token is valid for 3 minutes */
        post: operations["auth.startLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send email and password; if they are right, the second factor is next */
        post: operations["auth.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/2fa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the second factor, or a backup code, to log in */
        post: operations["auth.verifyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/2fa/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a new code for the same challenge; the previous code no longer works */
        post: operations["auth.resendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange a refresh token for a new pair; each refresh token works once */
        post: operations["auth.refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log out of one device, or of all devices */
        post: operations["auth.logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who you are: your role, what it allows, and the environment that you see */
        get: operations["auth.me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the devices on which you are signed in, newest first */
        get: operations["auth.sessions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out of one device; its tokens are refused within a second */
        delete: operations["auth.sessions.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what you sign in with beside your password */
        get: operations["auth.secondFactor.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a code mailed that a change of your login needs; only if your codes come by mail */
        post: operations["auth.sendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password; you are signed out everywhere else */
        post: operations["auth.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make new backup codes, shown once; the earlier ones stop working */
        post: operations["auth.backupCodes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/authenticator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the secret of a new authenticator app; until one of its codes confirms it, nothing changes */
        post: operations["auth.authenticator.begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/authenticator/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code of the new authenticator app, which takes the place of the earlier one */
        post: operations["auth.authenticator.confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the people of your organization, newest first */
        get: operations["team.members.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a person of your organization */
        get: operations["team.members.get"];
        put?: never;
        post?: never;
        /** Remove a person; their sessions end within a second, and the keys of the organization stay */
        delete: operations["team.members.delete"];
        options?: never;
        head?: never;
        /** Change the role of a person; it holds within a second */
        patch: operations["team.members.update"];
        trace?: never;
    };
    "/v1/team/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the invitations of your organization, newest first */
        get: operations["team.invitations.list"];
        put?: never;
        /** Invite a person by mail; an older open invitation to the same address is replaced */
        post: operations["team.invitations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an invitation */
        get: operations["team.invitations.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/invitations/{invitation_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail an invitation again, with a new link for 7 days; the earlier link no longer works */
        post: operations["team.invitations.resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/invitations/{invitation_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an invitation; its link no longer works */
        post: operations["team.invitations.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what an invitation is for, by the token of its link */
        get: operations["invitation.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose name and password; answers with a new second factor that a code has to confirm */
        post: operations["invitation.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitation/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the second factor and join the organization; only this answer shows the backup codes */
        post: operations["invitation.confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what everything of the account waits for and until when, the next moment first
         * @description Needs the scope `payments:read`.
         */
        get: operations["agenda.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an account waits for, and until when
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a checkout session waits for, and until when
         * @description Needs the scope `payments:read`.
         */
        get: operations["checkoutSessions.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{payment_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a payment waits for, and until when
         * @description Needs the scope `payments:read`.
         */
        get: operations["payments.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{refund_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a refund waits for, and until when
         * @description Needs the scope `refunds:read`.
         */
        get: operations["refunds.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{payout_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a payout waits for, and until when
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/destinations/{destination_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a payout destination waits for, and until when
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.destinations.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversions/{conversion_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a conversion waits for, and until when
         * @description Needs the scope `conversions:read`.
         */
        get: operations["conversions.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{delivery_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a webhook delivery waits for, and until when
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.deliveries.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a subscription waits for, and until when
         * @description Needs the scope `subscriptions:read`.
         */
        get: operations["subscriptions.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{dispute_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a dispute waits for, and until when
         * @description Needs the scope `disputes:read`.
         */
        get: operations["disputes.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoice_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an invoice waits for, and until when
         * @description Needs the scope `invoices:read`.
         */
        get: operations["invoices.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{endpoint_id}/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a webhook endpoint waits for, and until when
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.endpoints.getAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{account_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to an account and what it waits for
         * @description Needs the scope `accounts:read`.
         */
        get: operations["accounts.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{checkout_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a checkout session and what it waits for
         * @description Needs the scope `payments:read`.
         */
        get: operations["checkoutSessions.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{payment_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a payment and what it waits for
         * @description Needs the scope `payments:read`.
         */
        get: operations["payments.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{refund_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a refund and what it waits for
         * @description Needs the scope `refunds:read`.
         */
        get: operations["refunds.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{payout_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a payout and what it waits for
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/destinations/{destination_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a payout destination and what it waits for
         * @description Needs the scope `payouts:read`.
         */
        get: operations["payouts.destinations.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversions/{conversion_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a conversion and what it waits for
         * @description Needs the scope `conversions:read`.
         */
        get: operations["conversions.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{delivery_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a webhook delivery and what it waits for
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["webhooks.deliveries.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{subscription_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a subscription and what it waits for
         * @description Needs the scope `subscriptions:read`.
         */
        get: operations["subscriptions.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{dispute_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to a dispute and what it waits for
         * @description Needs the scope `disputes:read`.
         */
        get: operations["disputes.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoice_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened to an invoice and what it waits for
         * @description Needs the scope `invoices:read`.
         */
        get: operations["invoices.getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/request-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the calls of the last 7 days, newest first
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["requestLogs.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/request-logs/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call by the `X-Request-Id` of its answer, or by its own id
         * @description Needs the scope `webhooks:read`.
         */
        get: operations["requestLogs.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/checkout-sessions/{checkout_id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a session like a buyer, with the outcome you choose
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.checkoutSessions.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/payments/{payment_id}/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bank transfer to the account of a payment, or coins to its address
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.payments.deposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bank transfer to a virtual account
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.virtualAccounts.deposits.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/payouts/{payout_id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the outcome of a payout at the sandbox’s rail
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.payouts.settle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/payments/{payment_id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dispute a card payment, as its buyer’s bank does
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.payments.dispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/disputes/{dispute_id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set how the network decides a dispute; withdrawn: the buyer has taken it back
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.disputes.settle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/events/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event of any type; its resource does not exist
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.events.trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails to your organization, newest first
         * @description Needs the scope `test_helpers:write`.
         */
        get: operations["testHelpers.emails.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/clocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test clocks, newest first
         * @description Needs the scope `test_helpers:write`.
         */
        get: operations["testHelpers.clocks.list"];
        put?: never;
        /**
         * Make a test clock, which stands still until it is advanced
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.clocks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/clocks/{clock_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a test clock
         * @description Needs the scope `test_helpers:write`.
         */
        get: operations["testHelpers.clocks.get"];
        put?: never;
        post?: never;
        /**
         * Delete a test clock: its members go by the real time again
         * @description Needs the scope `test_helpers:write`.
         */
        delete: operations["testHelpers.clocks.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/clocks/{clock_id}/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach resources to a test clock, also while they wait for something
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.clocks.attach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/clocks/{clock_id}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance a test clock, and list what has happened on the way
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.clocks.advance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a scenario on a test clock of its own, and list all its events
         * @description Needs the scope `test_helpers:write`.
         */
        post: operations["testHelpers.scenarios.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "collection.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event collection.succeeded
         * @description Sent when a payment has arrived in full, or you have accepted a smaller amount.
         */
        post: operations["onCollectionSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "collection.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event collection.failed
         * @description Sent when an attempt failed; `failure_code` says why.
         */
        post: operations["onCollectionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "collection.underpaid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event collection.underpaid
         * @description Sent when less than the amount due has arrived.
         */
        post: operations["onCollectionUnderpaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event payout.created
         * @description Sent when a payout was accepted, and its amount and fee are reserved.
         */
        post: operations["onPayoutCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event payout.paid
         * @description Sent when a payout has arrived.
         */
        post: operations["onPayoutPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event payout.failed
         * @description Sent when a payout was rejected or could not be delivered; amount and fee are back in the balance.
         */
        post: operations["onPayoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.returned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event payout.returned
         * @description Sent when a bank has sent a payout back after it had arrived; the amount is credited.
         */
        post: operations["onPayoutReturned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event refund.created
         * @description Sent when a refund was accepted and its amount reserved.
         */
        post: operations["onRefundCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event refund.paid
         * @description Sent when the rail has sent the money back.
         */
        post: operations["onRefundPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event refund.failed
         * @description Sent when a refund could not be delivered, or its money has come back after `refund.paid`; you have the amount again.
         */
        post: operations["onRefundFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversion.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event conversion.completed
         * @description Sent when a conversion was executed; the bought amount is in the balance.
         */
        post: operations["onConversionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversion.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event conversion.failed
         * @description Sent when a conversion could not be executed; the reserved amount is back in the balance.
         */
        post: operations["onConversionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event checkout.completed
         * @description Sent when a session is completed; `payment_status` is `paid` or `no_payment_required`.
         */
        post: operations["onCheckoutCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event checkout.expired
         * @description Sent when an open session has expired.
         */
        post: operations["onCheckoutExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.created
         * @description Sent when a customer record was made.
         */
        post: operations["onCustomerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.updated
         * @description Sent when a customer record was changed.
         */
        post: operations["onCustomerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.created
         * @description Sent when a checkout has begun a subscription.
         */
        post: operations["onCustomerSubscriptionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.updated
         * @description Sent when a subscription was changed.
         */
        post: operations["onCustomerSubscriptionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.renewed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.renewed
         * @description Sent when a new period has begun.
         */
        post: operations["onCustomerSubscriptionRenewed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.trial_will_end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.trial_will_end
         * @description Sent when a trial ends in 3 days, or sooner where less is left of it.
         */
        post: operations["onCustomerSubscriptionTrialWillEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.past_due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.past_due
         * @description Sent when a period could not be paid.
         */
        post: operations["onCustomerSubscriptionPastDue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.paused
         * @description Sent when a subscription is paused.
         */
        post: operations["onCustomerSubscriptionPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.resumed
         * @description Sent when a paused subscription has resumed.
         */
        post: operations["onCustomerSubscriptionResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.subscription.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event customer.subscription.canceled
         * @description Sent when a subscription has ended.
         */
        post: operations["onCustomerSubscriptionCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event dispute.created
         * @description Sent when a payer has disputed a payment, or a network has announced that (`early_warning`).
         */
        post: operations["onDisputeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event dispute.updated
         * @description Sent when a dispute or its evidence was changed.
         */
        post: operations["onDisputeUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.evidence_due_soon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event dispute.evidence_due_soon
         * @description Sent when 48 hours are left to respond to a dispute.
         */
        post: operations["onDisputeEvidenceDueSoon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.won": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event dispute.won
         * @description Sent when a dispute was won and its amount returned.
         */
        post: operations["onDisputeWon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.lost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event dispute.lost
         * @description Sent when a dispute was lost, accepted or not answered in time.
         */
        post: operations["onDisputeLost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event invoice.paid
         * @description Sent when an invoice was paid.
         */
        post: operations["onInvoicePaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event invoice.payment_failed
         * @description Sent when an invoice could not be charged.
         */
        post: operations["onInvoicePaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event transfer.created
         * @description Sent when money was transferred to another account, by a call or by a sale.
         */
        post: operations["onTransferCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event transfer.reversed
         * @description Sent when a transfer, or a part of it, has gone back.
         */
        post: operations["onTransferReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event transfer.updated
         * @description Sent when a reversal was undone, because its refund has failed or its dispute was won.
         */
        post: operations["onTransferUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform_fee.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event platform_fee.created
         * @description Sent when a sale of a connected account has paid the platform a fee.
         */
        post: operations["onPlatformFeeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform_fee.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event platform_fee.refunded
         * @description Sent when a platform fee, or a part of it, was refunded.
         */
        post: operations["onPlatformFeeRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform_fee.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event platform_fee.updated
         * @description Sent when the refund of a platform fee was undone, because the refund of the sale has failed or its dispute was won.
         */
        post: operations["onPlatformFeeUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event account.updated
         * @description Sent when a connected account or its requirements were changed.
         */
        post: operations["onAccountUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "capability.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event capability.updated
         * @description Sent when a capability of a connected account was changed.
         */
        post: operations["onCapabilityUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A customer who has a record already. */
        KnownCustomer: {
            /** @description The id of the customer. */
            id: string;
        };
        CustomerDetails: {
            /**
             * @description The email address.
             * @example ada@example.com
             */
            email: string;
            /** @description The name of the buyer. */
            name?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
        };
        CreateCheckoutSession: {
            /** @description The products that are sold together. */
            product_cart?: {
                /**
                 * @description The id of the product.
                 * @example prod_…
                 */
                product_id: string;
                /** @description Default 1. */
                quantity?: number | null;
                /**
                 * @description For price_type custom: within its minimum and maximum.
                 * @example 25.00
                 */
                amount?: string | null;
            }[] | null;
            /**
             * @description The id of the product group.
             * @example pg_…
             */
            product_group_id?: string | null;
            /**
             * @description The price, at the currency’s precision.
             * @example 25.00
             */
            amount?: string | null;
            /**
             * Format: currency
             * @description The currency of the sale.
             * @example USD
             */
            currency?: string | null;
            /** @description What is sold, as buyers see it. */
            description?: string | null;
            /** @description Saves a card and charges nothing: no amount, products or split. */
            setup?: boolean | null;
            /**
             * Format: currency
             * @description What the buyer is to pay in, unless they choose another.
             * @example KES
             */
            billing_currency?: string | null;
            /** @description Restricts the payment methods: only those in it are offered. Null: all that are on. */
            payment_method_options?: {
                /** @description Offers cards. */
                card?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers bank transfers. */
                bank_transfer?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers mobile money. */
                mobile_money?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers crypto assets. */
                crypto?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
            } | null;
            /** @description What the subscription gets that the session begins. */
            subscription_data?: {
                /** @description In place of the trial of its products. */
                trial_days?: number | null;
                /** @description Your own keys and values. They change nothing that the service does. */
                metadata?: {
                    [key: string]: string;
                } | null;
            } | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 1.00
             */
            platform_fee?: string | null;
            /** @description The share of a connected account in the sale; null for none. */
            transfer_data?: {
                /**
                 * @description The connected account that gets the share.
                 * @example acct_…
                 */
                destination: string;
                /**
                 * @description The destination’s share of the sale.
                 * @example 20.00
                 */
                amount: string;
            } | null;
            /** @description The customer: one that exists, by their id, or their details. */
            customer?: components["schemas"]["KnownCustomer"] | components["schemas"]["CustomerDetails"] | null;
            /**
             * @description Whether a customer record is made of every buyer, or only where the sale needs one.
             * @enum {string|null}
             */
            customer_creation?: "if_required" | "always" | null;
            /** @description Whether the page offers the customer the cards that they have saved. Needs `customer.id`. */
            offer_saved_cards?: boolean | null;
            /**
             * Format: url
             * @description Where the buyer goes after the payment.
             * @example https://example.com/thanks
             */
            success_url?: string | null;
            /**
             * Format: url
             * @deprecated
             * @description The former name of success_url.
             * @example https://example.com/thanks
             */
            return_url?: string | null;
            /**
             * Format: url
             * @description Where the buyer goes to leave without paying; null if there is no such place.
             * @example https://example.com/thanks
             */
            cancel_url?: string | null;
            /** @description Your own reference; null if you gave none. */
            reference?: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description After how many minutes the session expires. If left out: `60`. */
            expires_in_minutes?: number | null;
            /**
             * @description The language of the buyer, such as `en-NG`.
             * @example en-NG
             */
            locale?: string | null;
        };
        Recurring: {
            /**
             * @description The unit of the period.
             * @enum {string}
             */
            interval: "day" | "week" | "month" | "year";
            /** @description How many intervals a period has. */
            interval_count: number;
            /** @description How many days are free at the beginning. */
            trial_days: number;
            /**
             * @description Whether the card is charged, or the customer pays each invoice.
             * @enum {string}
             */
            collection: "automatic" | "invoice";
            /** @description The id of the subscription; null if there is none. */
            subscription_id: string | null;
            /**
             * Format: date-time
             * @description When the subscription is charged next; null if that is not planned. A session keeps the first such time.
             */
            next_charge_at: string | null;
        };
        Charge: {
            /** @description The id of the payment. */
            payment_id: string;
            /** @description Why it is charged: a purchase, the start or a period of a subscription, or a change of its plan. */
            billing_reason: string;
            /**
             * @description The status of the payment.
             * @enum {string}
             */
            status: "requires_action" | "processing" | "succeeded" | "underpaid" | "failed" | "canceled";
            /**
             * @description What the buyer pays, in `currency`.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The fee of the payment, in USD.
             * @example 25.00
             */
            fee_usd: string;
        };
        LineItem: {
            /** @description The id of the product. */
            product_id: string;
            /** @description The name of the product when it was sold. */
            product_name: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
             * @enum {string}
             */
            price_type: "fixed" | "free" | "custom";
            /**
             * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            minimum_amount: string | null;
            /**
             * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            maximum_amount: string | null;
            /** @description How many were sold. */
            quantity: number;
            /**
             * @description The price of one.
             * @example 25.00
             */
            unit_amount: string;
            /**
             * @description The price of the whole line.
             * @example 25.00
             */
            line_total: string;
        };
        CreatedCheckoutSession: {
            /** @description The id of the checkout session. */
            checkout_id: string;
            /**
             * @description The status of the session. All but `open` are final.
             * @enum {string}
             */
            status: "open" | "completed" | "expired" | "cancelled";
            /**
             * @description The state of the newest attempt to pay.
             * @enum {string}
             */
            payment_status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled";
            /** @description How the sale repeats; null for a single sale. */
            recurring: components["schemas"]["Recurring"] | null;
            /** @description What created the session: `CHECKOUT_SESSION`, `PAYMENT_LINK`, `INVOICE` or `CUSTOMER_PORTAL`. */
            source_type: string;
            /** @description The payment link that opened the session; null without one. */
            payment_link_id: string | null;
            /**
             * @description What is sold for in all, in `currency`. A fee that the buyer bears comes on top.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the sale.
             * @example USD
             */
            currency: string;
            /**
             * @description The currency in which the buyer pays.
             * @example USD
             */
            billing_currency: string;
            /** @description What is sold, as buyers see it. */
            description: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /** @description The newest attempt to pay; null while the session is open, or if nobody tried. */
            charge: components["schemas"]["Charge"] | null;
            /** @description The payment method: `CARD`, or a corridor such as `MOMO_GHS`; null before. */
            payment_method: string | null;
            /** @description The customer; null if the sale has none. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description What is known of the buyer; null while nothing is. */
            customer_details: {
                /** @description The email address. */
                email: string;
                /** @description The name of the buyer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description True where the session offers the customer’s saved cards; else not there. */
            offer_saved_cards?: boolean;
            /** @description The card that the session has saved. Other sessions do not have it. */
            saved_payment_method_id?: string;
            /** @description Where the buyer goes after the payment. */
            success_url: string;
            /** @description Where the buyer goes to leave without paying; null if there is no such place. */
            cancel_url: string | null;
            /** @description The products that are sold; null if the session sells an amount, or before the buyer has picked one. */
            products: components["schemas"]["LineItem"][] | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 25.00
             */
            platform_fee: string | null;
            /**
             * @description What the connected account gets of the sale; null if it gets nothing.
             * @example 25.00
             */
            transfer_amount: string | null;
            /**
             * @description `CART`: everything is sold together. `SELECTION`: the buyer picks one product.
             * @enum {string}
             */
            session_mode: "CART" | "SELECTION";
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was completed; null before, and if it expired or was canceled.
             */
            completed_at: string | null;
            /** @description The hosted page on which the buyer pays. It holds a secret: send it to the buyer only. */
            checkout_url: string;
            /** @description The credential of your own page for this session. It is shown only here. */
            client_secret: string;
        };
        CheckoutSession: {
            /** @description The id of the checkout session. */
            checkout_id: string;
            /**
             * @description The status of the session. All but `open` are final.
             * @enum {string}
             */
            status: "open" | "completed" | "expired" | "cancelled";
            /**
             * @description The state of the newest attempt to pay.
             * @enum {string}
             */
            payment_status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled";
            /** @description How the sale repeats; null for a single sale. */
            recurring: components["schemas"]["Recurring"] | null;
            /** @description What created the session: `CHECKOUT_SESSION`, `PAYMENT_LINK`, `INVOICE` or `CUSTOMER_PORTAL`. */
            source_type: string;
            /** @description The payment link that opened the session; null without one. */
            payment_link_id: string | null;
            /**
             * @description What is sold for in all, in `currency`. A fee that the buyer bears comes on top.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the sale.
             * @example USD
             */
            currency: string;
            /**
             * @description The currency in which the buyer pays.
             * @example USD
             */
            billing_currency: string;
            /** @description What is sold, as buyers see it. */
            description: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /** @description The newest attempt to pay; null while the session is open, or if nobody tried. */
            charge: components["schemas"]["Charge"] | null;
            /** @description The payment method: `CARD`, or a corridor such as `MOMO_GHS`; null before. */
            payment_method: string | null;
            /** @description The customer; null if the sale has none. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description What is known of the buyer; null while nothing is. */
            customer_details: {
                /** @description The email address. */
                email: string;
                /** @description The name of the buyer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description True where the session offers the customer’s saved cards; else not there. */
            offer_saved_cards?: boolean;
            /** @description The card that the session has saved. Other sessions do not have it. */
            saved_payment_method_id?: string;
            /** @description Where the buyer goes after the payment. */
            success_url: string;
            /** @description Where the buyer goes to leave without paying; null if there is no such place. */
            cancel_url: string | null;
            /** @description The products that are sold; null if the session sells an amount, or before the buyer has picked one. */
            products: components["schemas"]["LineItem"][] | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 25.00
             */
            platform_fee: string | null;
            /**
             * @description What the connected account gets of the sale; null if it gets nothing.
             * @example 25.00
             */
            transfer_amount: string | null;
            /**
             * @description `CART`: everything is sold together. `SELECTION`: the buyer picks one product.
             * @enum {string}
             */
            session_mode: "CART" | "SELECTION";
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was completed; null before, and if it expired or was canceled.
             */
            completed_at: string | null;
        };
        Pagination: {
            /** @description The `cursor` of the following page; null on the last one. */
            next_cursor: string | null;
            /** @description The `cursor` of the page before; null on the first one. */
            prev_cursor: string | null;
            /** @description Whether a page follows. */
            has_more: boolean;
            /** @description How many items a page has at most. */
            limit: number;
            /** @description How many items stand before the page. */
            offset: number;
            /** @description How many items this page has. */
            returned: number;
            /** @description How many items the whole list has. */
            total: number;
        };
        CheckoutSessionPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["CheckoutSession"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        EnterCode: {
            /**
             * @description The buyer enters a code that their bank or provider sends. Send it with `confirm`.
             * @constant
             */
            type: "otp";
        };
        FollowRedirect: {
            /**
             * @description The buyer continues on another page.
             * @constant
             */
            type: "redirect";
            /** @description Send the buyer here. It leads back to the hosted page, unless it is the page of a wallet. */
            url: string;
        };
        EnterPin: {
            /**
             * @description The buyer enters a code from the menu of their wallet. Send it with `confirm`.
             * @constant
             */
            type: "pin";
            /** @description The mobile money provider. */
            provider: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        ApproveOnPhone: {
            /**
             * @description The buyer approves the payment on their phone.
             * @constant
             */
            type: "phone_prompt";
            /** @description The mobile money provider. */
            provider: string;
            /** @description Masked. */
            phone_number: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        SendCrypto: {
            /**
             * @description The buyer sends an amount of an asset to an address.
             * @constant
             */
            type: "crypto_address";
            /** @description The crypto asset, such as `USDT_TRC20`. */
            asset: string;
            /** @description The network of the asset. */
            network: string;
            /** @description The address to send to. It belongs to this payment alone. */
            address: string;
            /** @description What is still to be sent, in the asset. */
            amount: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        SendBankTransfer: {
            /**
             * @description The buyer sends a bank transfer to an account.
             * @constant
             */
            type: "bank_transfer";
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The account number. */
            account_number: string;
            /** @description The name of the account’s holder. */
            account_name: string;
            /**
             * @description What is still to be sent.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the transfer.
             * @example USD
             */
            currency: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        ProductRecurring: {
            /**
             * @description The unit of the period.
             * @enum {string}
             */
            interval: "day" | "week" | "month" | "year";
            /** @description How many intervals a period has. */
            interval_count: number;
            /** @description How many days are free at the beginning. */
            trial_days: number;
        };
        OfferedProduct: {
            /** @description The id of the product. */
            product_id: string;
            /** @description The name of the product when it was sold. */
            product_name: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
             * @enum {string}
             */
            price_type: "fixed" | "free" | "custom";
            /**
             * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            minimum_amount: string | null;
            /**
             * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            maximum_amount: string | null;
            /**
             * @description The price of one; null if the buyer chooses it.
             * @example 25.00
             */
            unit_amount: string | null;
            /**
             * @description The price that is suggested, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            suggested_amount: string | null;
            /** @description How the sale repeats; null for a single sale. */
            recurring?: components["schemas"]["ProductRecurring"] | null;
        };
        OfferedCard: {
            /** @description The id of the saved card. */
            payment_method_id: string;
            /**
             * @description The payment method with which the card pays, such as `USD_CARD`.
             * @enum {string}
             */
            payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
            /** @description What is shown of the card. */
            card: {
                /** @description The brand of the card. */
                brand: string;
                /** @description The last four digits of the card. */
                last4: string;
                /** @description The month in which the card expires, 1 to 12. */
                exp_month: number;
                /** @description The year in which the card expires, with four digits. */
                exp_year: number;
            };
        };
        PaidWith: {
            /** @description The brand of the card; null for other methods. */
            brand: string | null;
            /** @description The last four digits of the card; null for other methods. */
            last4: string | null;
            /** @description The mobile money provider; null for other methods. */
            provider: string | null;
            /** @description The mobile money number, masked; null for other methods. */
            phone_number: string | null;
            /** @description The crypto asset; null for other methods. */
            asset: string | null;
            /** @description The hash of the transaction on its chain; null for other methods. */
            tx_hash: string | null;
            /** @description For crypto: the number of blocks that confirm the transfer. */
            confirmations: number | null;
        };
        PublicCheckoutSession: {
            /** @description The id of the checkout session. */
            checkout_id: string;
            /**
             * @description The status of the session. All but `open` are final.
             * @enum {string}
             */
            status: "open" | "completed" | "expired" | "cancelled";
            /**
             * @description The state of the newest attempt to pay.
             * @enum {string}
             */
            payment_status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled";
            /** @description The id of the payment. */
            payment_id: string | null;
            /** @description The payment method, such as `USD_CARD`; null if none was chosen yet. */
            payment_method: string | null;
            /**
             * @description The price in `currency`, without a fee that the buyer bears.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The fee that the buyer bears; null before a payment method was chosen.
             * @example 25.00
             */
            fee: string | null;
            /**
             * @description What the buyer pays: price and fee; null before a payment method was chosen.
             * @example 25.00
             */
            total: string | null;
            /**
             * @description The currency of the payment.
             * @example USD
             */
            currency: string;
            /** @description Units of the charged currency for one of the session’s. */
            rate: string;
            /**
             * @description The price in the currency of the sale.
             * @example 25.00
             */
            base_amount: string;
            /**
             * @description The currency of the sale.
             * @example USD
             */
            base_currency: string;
            /**
             * @description How much has arrived so far.
             * @example 25.00
             */
            amount_received: string | null;
            /** @description What the buyer has to do next; null if nothing. */
            next_action: components["schemas"]["EnterCode"] | components["schemas"]["FollowRedirect"] | components["schemas"]["EnterPin"] | components["schemas"]["ApproveOnPhone"] | components["schemas"]["SendCrypto"] | components["schemas"]["SendBankTransfer"] | null;
            /**
             * @description Why the last attempt failed; null if it did not. The list of codes is in the manual.
             * @enum {string|null}
             */
            failure_code: "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed" | "customer_timeout" | "customer_rejected" | "invalid_account" | "rail_unavailable" | null;
            /** @description Why the last attempt failed, as a sentence for the buyer; null if it did not. */
            failure_message: string | null;
            /** @description What is sold, as buyers see it. */
            description: string | null;
            /** @description The name of the seller. */
            merchant_name: string;
            /** @description What pages show of the seller. */
            merchant: {
                /** @description The address for questions; null if there is none. */
                support_email: string | null;
                /** @description The address of the logo; null if there is none. */
                logo_url: string | null;
                /** @description A colour, as `#rrggbb`; null if there is none. */
                accent_color: string | null;
            };
            /**
             * @description The environment: `sandbox`, in which no money moves, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /**
             * @description `CART`: everything is sold together. `SELECTION`: the buyer picks one product.
             * @enum {string}
             */
            session_mode: "CART" | "SELECTION";
            /** @description Whether a card is saved and nothing paid. */
            setup: boolean;
            /** @description Whether a card that pays is charged again, for a subscription. */
            saves_card: boolean;
            /**
             * @description Who bears the fee: `customer_pays` adds it to the price, `org_pays` takes it from what settles.
             * @enum {string}
             */
            fee_preference: "customer_pays" | "org_pays";
            /**
             * @description The currency in which the buyer pays.
             * @example USD
             */
            billing_currency: string;
            /** @description The products that are sold; null if the session sells an amount, or before the buyer has picked one. */
            products: components["schemas"]["LineItem"][] | null;
            /** @description The products of which the buyer picks one. */
            selection: components["schemas"]["OfferedProduct"][] | null;
            /** @description The first image of each product that has one. */
            product_images: {
                /** @description The id of the product. */
                product_id: string;
                /** @description The address of the picture. */
                url: string;
            }[];
            /** @description The payment methods that are offered, each with its price. */
            payment_methods: {
                /**
                 * @description The payment method, such as `USD_CARD`.
                 * @enum {string}
                 */
                payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
                /**
                 * @description The kind: `card`, `bank_transfer`, `mobile_money` or `crypto`.
                 * @enum {string}
                 */
                type: "card" | "bank_transfer" | "mobile_money" | "crypto";
                /**
                 * @description The currency in which the method is paid.
                 * @example USD
                 */
                currency: string;
                /**
                 * @description The price in this currency; null until the buyer has picked a product.
                 * @example 25.00
                 */
                amount: string | null;
                /**
                 * @description The fee that the buyer bears; null until the buyer has picked a product.
                 * @example 25.00
                 */
                fee: string | null;
                /**
                 * @description What the buyer pays; null until the buyer has picked a product.
                 * @example 25.00
                 */
                total: string | null;
                /** @description Units of the currency for one of the session’s; null if they are the same. */
                rate: string | null;
                /** @description The mobile money providers; empty for other methods. */
                providers: string[];
                /** @description How a mobile money number begins: the calling codes of its countries; empty for other methods. */
                calling_codes: string[];
                /** @description The crypto assets; empty for other methods. */
                assets: string[];
                /**
                 * @description Where the buyer enters a card: its numbers on your page (sandbox only), in the provider’s field on your page, or on the provider’s own page; null for other methods.
                 * @enum {string|null}
                 */
                card_entry: "numbers" | "field" | "page" | null;
                /** @description The provider’s field for cards, where `card_entry` is `field`; else null. */
                card_field: {
                    /**
                     * @description The provider whose field takes the card.
                     * @enum {string}
                     */
                    provider: "stripe";
                    /** @description The key with which a page opens the field. It is public. */
                    publishable_key: string;
                } | null;
            }[];
            /** @description The saved cards that the session offers its customer; empty if it offers none. */
            saved_payment_methods: components["schemas"]["OfferedCard"][];
            /** @description What is known of the buyer; null while nothing is, and in the session of an invoice. */
            customer_details: {
                /** @description The email address. */
                email: string;
                /** @description The name of the buyer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description Whether the buyer enters their own details; false if the merchant has named the customer. */
            asks_customer: boolean;
            /** @description False once the session has ended, or its invoice is paid, void or takes no money any more. */
            can_be_paid: boolean;
            /** @description Whether its invoice can still be paid, on the page of the invoice; null if it pays none. */
            invoice_can_be_paid: boolean | null;
            /** @description With what the session was paid; null before. */
            paid_with: components["schemas"]["PaidWith"] | null;
            /** @description Whether the buyer’s money may still come, though the session can no longer be paid. */
            awaits_money: boolean;
            /**
             * @description How far the refund of all the money that has come is; none where the merchant keeps some of it.
             * @enum {string}
             */
            refund_progress: "none" | "pending" | "succeeded";
            /** @description Whether the merchant has accepted less than the total, so that the rest must not be sent. */
            partial: boolean;
            /** @description How the sale repeats; null for a single sale. */
            recurring: components["schemas"]["Recurring"] | null;
            /**
             * Format: date-time
             * @description When it was completed; null before, and if it expired or was canceled.
             */
            completed_at: string | null;
            /** @description The language that was given for the buyer, such as `en-NG`; null if none was. */
            locale: string | null;
            /** @description Where the buyer goes after the payment. */
            success_url: string;
            /** @description Where the buyer goes to leave without paying; null if there is no such place. */
            cancel_url: string | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description The time by which it lives: that of its test clock, or else of this answer.
             */
            as_of: string;
        };
        Card: {
            /**
             * @description The number of the card.
             * @example 4242424242424242
             */
            number: string;
            /** @description The month in which the card expires, 1 to 12. */
            exp_month: number;
            /** @description The year in which the card expires, with four digits. */
            exp_year: number;
            /**
             * @description The security code of the card.
             * @example 123
             */
            cvc: string;
        };
        CardToken: {
            /**
             * @description The token of a card.
             * @example tok_success
             */
            token: string;
        };
        SavedCard: {
            /**
             * @description The id of the saved card.
             * @example pm_01jd3v5t2nf3m8q6w0x9y7z4ka
             */
            payment_method_id: string;
            /**
             * @description The security code of the saved card, typed again, where `card_entry` is `numbers`.
             * @example 123
             */
            cvc?: string | null;
            /**
             * @description The token of the saved card’s security code, typed again in the provider’s field, where `card_entry` is `field`.
             * @example cvctok_1NkWsu2eZvKYlo2CFDm6ab7X
             */
            cvc_token?: string | null;
        };
        PayCheckout: {
            /**
             * @description A corridor; none for a free session.
             * @example USD_CARD
             */
            payment_method?: string | null;
            /**
             * Format: currency
             * @description The currency in which to pay, for a method that has several.
             * @example USD
             */
            currency?: string | null;
            /** @description The card, or a token of it; by `card_entry` of the payment method. Left out where that is `page`. */
            card?: components["schemas"]["Card"] | components["schemas"]["CardToken"] | components["schemas"]["SavedCard"] | null;
            /**
             * @description For mobile money: the wallet’s number, in the form of E.164.
             * @example +233241234561
             */
            phone_number?: string | null;
            /**
             * @description For mobile money.
             * @example mtn
             */
            provider?: string | null;
            /**
             * Format: currency
             * @description For crypto.
             * @example USDT_TRC20
             */
            asset?: string | null;
            /** @description For a SELECTION session: one of its products. */
            products?: {
                /**
                 * @description The id of the product.
                 * @example prod_…
                 */
                product_id: string;
                /** @description Default 1. */
                quantity?: number | null;
                /**
                 * @description For price_type custom: within its minimum and maximum.
                 * @example 25.00
                 */
                amount?: string | null;
            }[] | null;
            /** @description The buyer, unless the session names a customer. */
            customer_details?: components["schemas"]["CustomerDetails"] | null;
            /** @description Charge at once, without a separate call to confirm. */
            confirm?: boolean | null;
        };
        PaymentAttempt: {
            /** @description The id of the checkout session. */
            checkout_id: string;
            /**
             * @description The status of the session.
             * @enum {string}
             */
            status: "open" | "completed" | "expired" | "cancelled";
            /**
             * @description The state of the newest attempt to pay.
             * @enum {string}
             */
            payment_status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled";
            /** @description The id of the payment. */
            payment_id: string | null;
            /** @description The payment method, such as `USD_CARD`; null if none was chosen yet. */
            payment_method: string | null;
            /**
             * @description The price in `currency`, without a fee that the buyer bears.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The fee that the buyer bears; null before a payment method was chosen.
             * @example 25.00
             */
            fee: string | null;
            /**
             * @description What the buyer pays: price and fee; null before a payment method was chosen.
             * @example 25.00
             */
            total: string | null;
            /**
             * @description The currency of the payment.
             * @example USD
             */
            currency: string;
            /** @description Units of the charged currency for one of the session’s. */
            rate: string;
            /**
             * @description The price in the currency of the sale.
             * @example 25.00
             */
            base_amount: string;
            /**
             * @description The currency of the sale.
             * @example USD
             */
            base_currency: string;
            /**
             * @description How much has arrived so far.
             * @example 25.00
             */
            amount_received: string | null;
            /** @description What the buyer has to do next; null if nothing. */
            next_action: components["schemas"]["EnterCode"] | components["schemas"]["FollowRedirect"] | components["schemas"]["EnterPin"] | components["schemas"]["ApproveOnPhone"] | components["schemas"]["SendCrypto"] | components["schemas"]["SendBankTransfer"] | null;
            /**
             * @description Why the last attempt failed; null if it did not. The list of codes is in the manual.
             * @enum {string|null}
             */
            failure_code: "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed" | "customer_timeout" | "customer_rejected" | "invalid_account" | "rail_unavailable" | null;
            /** @description Why the last attempt failed, as a sentence for the buyer; null if it did not. */
            failure_message: string | null;
        };
        ConfirmCheckout: {
            /** @description The one-time code, where `next_action` asks for one. */
            code?: string | null;
        };
        ChangeCheckoutSettings: {
            /** @description Each corridor, and whether it is on. One that is left out has its default. */
            enabled_payment_methods?: {
                /** @description Cards in USD. */
                USD_CARD?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Cards in NGN. */
                NGN_CARD?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Bank transfers in NGN. */
                NGN_BANK_TRANSFER?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in GHS. */
                MOMO_GHS?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in KES. */
                MOMO_KES?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in RWF. */
                MOMO_RWF?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in TZS. */
                MOMO_TZS?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in UGX. */
                MOMO_UGX?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in XAF. */
                MOMO_XAF?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in XOF. */
                MOMO_XOF?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Mobile money in ZMW. */
                MOMO_ZMW?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                } | null;
                /** @description Crypto assets. */
                CRYPTO?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                    /** @description Each asset, and whether it is taken. */
                    currencies?: {
                        /** @description BNB on the BNB Smart Chain. */
                        BNB_BEP20?: boolean | null;
                        /** @description Ether on Ethereum. */
                        ETH_ETH?: boolean | null;
                        /** @description SOL on Solana. */
                        SOL_SOL?: boolean | null;
                        /** @description USDC on the BNB Smart Chain. */
                        USDC_BEP20?: boolean | null;
                        /** @description USDT on the BNB Smart Chain. */
                        USDT_BEP20?: boolean | null;
                        /** @description USDT on Ethereum. */
                        USDT_ERC20?: boolean | null;
                        /** @description USDT on Solana. */
                        USDT_SOL?: boolean | null;
                        /** @description USDT on Tron. */
                        USDT_TRC20?: boolean | null;
                    } | null;
                } | null;
            } | null;
            /**
             * @description Who bears the fee: `customer_pays` adds it to the price, `org_pays` takes it from what settles.
             * @enum {string|null}
             */
            fee_preference?: "customer_pays" | "org_pays" | null;
        };
        CheckoutSettings: {
            /** @description The account whose settings these are. */
            organization_id: string;
            /** @description Each corridor, and whether it is on. One that is left out has its default. */
            enabled_payment_methods: {
                /** @description Cards in USD. */
                USD_CARD?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Cards in NGN. */
                NGN_CARD?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Bank transfers in NGN. */
                NGN_BANK_TRANSFER?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in GHS. */
                MOMO_GHS?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in KES. */
                MOMO_KES?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in RWF. */
                MOMO_RWF?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in TZS. */
                MOMO_TZS?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in UGX. */
                MOMO_UGX?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in XAF. */
                MOMO_XAF?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in XOF. */
                MOMO_XOF?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Mobile money in ZMW. */
                MOMO_ZMW?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                };
                /** @description Crypto assets. */
                CRYPTO?: {
                    /** @description Whether it is on. */
                    enabled: boolean;
                    /** @description Each asset, and whether it is taken. */
                    currencies?: {
                        /** @description BNB on the BNB Smart Chain. */
                        BNB_BEP20?: boolean;
                        /** @description Ether on Ethereum. */
                        ETH_ETH?: boolean;
                        /** @description SOL on Solana. */
                        SOL_SOL?: boolean;
                        /** @description USDC on the BNB Smart Chain. */
                        USDC_BEP20?: boolean;
                        /** @description USDT on the BNB Smart Chain. */
                        USDT_BEP20?: boolean;
                        /** @description USDT on Ethereum. */
                        USDT_ERC20?: boolean;
                        /** @description USDT on Solana. */
                        USDT_SOL?: boolean;
                        /** @description USDT on Tron. */
                        USDT_TRC20?: boolean;
                    };
                };
            };
            /**
             * @description Who bears the fee: `customer_pays` adds it to the price, `org_pays` takes it from what settles.
             * @enum {string}
             */
            fee_preference: "customer_pays" | "org_pays";
            /** @description For people; do not branch on it. */
            message: string;
        };
        CreatePaymentLink: {
            /** @description What the link is for, as buyers see it. */
            name: string;
            /** @description The products that are sold together. */
            product_cart?: {
                /**
                 * @description The id of the product.
                 * @example prod_…
                 */
                product_id: string;
                /** @description Default 1. */
                quantity?: number | null;
                /**
                 * @description For price_type custom: within its minimum and maximum.
                 * @example 25.00
                 */
                amount?: string | null;
            }[] | null;
            /**
             * @description The group of which buyers pick a product; null for other links.
             * @example pg_…
             */
            product_group_id?: string | null;
            /** @description The price of a link without products; null for a link that sells products. */
            price?: {
                /**
                 * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
                 * @enum {string}
                 */
                price_type: "fixed" | "free" | "custom";
                /**
                 * @description The price, for a fixed one; else null.
                 * @example 25.00
                 */
                amount?: string | null;
                /**
                 * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                minimum_amount?: string | null;
                /**
                 * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                maximum_amount?: string | null;
                /**
                 * Format: currency
                 * @description The currency of the price.
                 * @example USD
                 */
                currency: string;
            } | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 1.00
             */
            platform_fee?: string | null;
            /** @description The share of a connected account in the sale; null for none. */
            transfer_data?: {
                /**
                 * @description The connected account that gets the share.
                 * @example acct_…
                 */
                destination: string;
                /**
                 * @description The destination’s share of the sale.
                 * @example 20.00
                 */
                amount: string;
            } | null;
            /**
             * Format: url
             * @description Where the buyer goes after the payment.
             * @example https://example.com/thanks
             */
            success_url: string;
            /** @description Whether the link opens sessions. */
            active?: boolean | null;
            /**
             * @description Whether a customer record is made of every buyer, or only where the sale needs one.
             * @enum {string|null}
             */
            customer_creation?: "if_required" | "always" | null;
            /** @description Restricts the payment methods: only those in it are offered. Null: all that are on. */
            payment_method_options?: {
                /** @description Offers cards. */
                card?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers bank transfers. */
                bank_transfer?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers mobile money. */
                mobile_money?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers crypto assets. */
                crypto?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
            } | null;
            /** @description After how many completed sessions the link ends; null for no limit. */
            max_completions?: number | null;
            /**
             * Format: date-time
             * @description When the link stops opening sessions; null if never.
             * @example 2026-01-31T00:00:00Z
             */
            expires_at?: string | null;
            /** @description What visitors read once the link opens no more sessions; null for our own words. */
            inactive_message?: string | null;
            /** @description Your own keys and values, which the link’s sessions get too. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        PaymentLink: {
            /** @description The id of the payment link. */
            payment_link_id: string;
            /** @description The address to share. */
            url: string;
            /** @description Whether the link opens sessions. */
            active: boolean;
            /** @description What the link is for, as buyers see it. */
            name: string;
            /** @description The products that are sold together. */
            product_cart: {
                /** @description The id of the product. */
                product_id: string;
                /** @description How many of the product. */
                quantity: number;
                /**
                 * @description For a custom price: null lets the buyer decide.
                 * @example 25.00
                 */
                amount: string | null;
            }[] | null;
            /** @description The group of which buyers pick a product; null for other links. */
            product_group_id: string | null;
            /** @description The price of a link without products; null for a link that sells products. */
            price: {
                /**
                 * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
                 * @enum {string}
                 */
                price_type: "fixed" | "free" | "custom";
                /**
                 * @description The price, for a fixed one; else null.
                 * @example 25.00
                 */
                amount: string | null;
                /**
                 * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                minimum_amount: string | null;
                /**
                 * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                maximum_amount: string | null;
                /**
                 * @description The currency of the price.
                 * @example USD
                 */
                currency: string;
            } | null;
            /** @description Where the buyer goes after the payment. */
            success_url: string;
            /**
             * @description Whether a customer record is made of every buyer, or only where the sale needs one.
             * @enum {string}
             */
            customer_creation: "if_required" | "always";
            /** @description Restricts the payment methods: only those in it are offered. Null: all that are on. */
            payment_method_options: {
                [key: string]: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[];
                };
            } | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 25.00
             */
            platform_fee: string | null;
            /** @description The share of a connected account in the sale; null for none. */
            transfer_data: {
                /** @description The connected account that gets the share. */
                destination: string;
                /**
                 * @description The share, in the currency of the sale.
                 * @example 25.00
                 */
                amount: string;
            } | null;
            /** @description After how many completed sessions the link ends; null for no limit. */
            max_completions: number | null;
            /** @description How many sessions of the link were completed. */
            completed_count: number;
            /**
             * Format: date-time
             * @description When the link stops opening sessions; null if never.
             */
            expires_at: string | null;
            /** @description What visitors read once the link opens no more sessions; null for our own words. */
            inactive_message: string | null;
            /** @description Your own keys and values, which the link’s sessions get too. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        PaymentLinkPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["PaymentLink"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangePaymentLink: {
            /** @description What the link is for, as buyers see it. */
            name?: string | null;
            /**
             * Format: url
             * @description Where the buyer goes after the payment.
             * @example https://example.com/thanks
             */
            success_url?: string | null;
            /** @description Whether the link opens sessions. */
            active?: boolean | null;
            /**
             * @description Whether a customer record is made of every buyer, or only where the sale needs one.
             * @enum {string|null}
             */
            customer_creation?: "if_required" | "always" | null;
            /** @description Restricts the payment methods: only those in it are offered. Null: all that are on. */
            payment_method_options?: {
                /** @description Offers cards. */
                card?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers bank transfers. */
                bank_transfer?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers mobile money. */
                mobile_money?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
                /** @description Offers crypto assets. */
                crypto?: {
                    /** @description The currencies in which the method is offered. Left out: all of them. */
                    currencies?: string[] | null;
                } | null;
            } | null;
            /** @description After how many completed sessions the link ends; null for no limit. */
            max_completions?: number | null;
            /**
             * Format: date-time
             * @description When the link stops opening sessions; null if never.
             * @example 2026-01-31T00:00:00Z
             */
            expires_at?: string | null;
            /** @description What visitors read once the link opens no more sessions; null for our own words. */
            inactive_message?: string | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
            /** @description Never changes; the current value is accepted. */
            product_cart?: unknown;
            /** @description Never changes; the current value is accepted. */
            product_group_id?: unknown;
            /** @description Never changes; the current value is accepted. */
            price?: unknown;
            /** @description Never changes; the current value is accepted. */
            platform_fee?: unknown;
            /** @description Never changes; the current value is accepted. */
            transfer_data?: unknown;
        };
        PublicPaymentLink: {
            /** @description What the link is for, as buyers see it. */
            name: string;
            /** @description The name of the seller. */
            merchant_name: string;
            /** @description What pages show of the seller. */
            merchant: {
                /** @description The address for questions; null if there is none. */
                support_email: string | null;
                /** @description The address of the logo; null if there is none. */
                logo_url: string | null;
                /** @description A colour, as `#rrggbb`; null if there is none. */
                accent_color: string | null;
            };
            /**
             * @description The environment: `sandbox`, in which no money moves, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /**
             * @description Whether the link opens sessions, and if not, why.
             * @enum {string}
             */
            status: "open" | "inactive" | "expired" | "completed";
            /** @description What visitors read once the link opens no more sessions; null for our own words. */
            inactive_message: string | null;
            /** @description Between what the visitor may choose the price; null if the price is set. */
            asked_amount: {
                /**
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /**
                 * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                minimum_amount: string | null;
                /**
                 * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                maximum_amount: string | null;
                /**
                 * @description The price that is suggested, for a price that the buyer chooses; else null.
                 * @example 25.00
                 */
                suggested_amount: string | null;
                /** @description How many the visitor buys: each costs the amount that they choose. */
                quantity: number;
            } | null;
        };
        OpenPaymentLink: {
            /**
             * @description Where the buyer decides the amount; ignored otherwise.
             * @example 25.00
             */
            amount?: string | null;
            /**
             * @description The email address of the visitor.
             * @example ada@example.com
             */
            customer_email?: string | null;
            /** @description The name of the visitor. */
            customer_name?: string | null;
            /** @description Your own reference for this visit. */
            reference?: string | null;
            /** @description Where the buyer comes from, such as `{"utm_source":"mail"}`. Copied into the session’s metadata. */
            utm?: {
                [key: string]: string;
            } | null;
        };
        OpenedCheckoutSession: {
            /** @description The id of the checkout session. */
            checkout_id: string;
            /** @description The hosted page on which the buyer pays. It holds a secret: send it to the buyer only. */
            checkout_url: string;
            /** @description The credential of your own page for this session. It is shown only here. */
            client_secret: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        ListedPayment: {
            /** @description The id of the payment. */
            payment_id: string;
            /**
             * @description The status of the payment.
             * @enum {string}
             */
            status: "requires_action" | "processing" | "succeeded" | "underpaid" | "failed" | "canceled";
            /**
             * @description What the buyer pays, in `currency`.
             * @example 25.00
             */
            amount: string;
            /**
             * @description How much has arrived so far.
             * @example 25.00
             */
            amount_received: string;
            /**
             * @description The currency in which the buyer pays.
             * @example USD
             */
            currency: string;
            /**
             * @description The price in the currency of the sale.
             * @example 25.00
             */
            base_amount: string;
            /**
             * @description The currency of the sale.
             * @example USD
             */
            base_currency: string;
            /** @description Units of the currency for one of the base currency; null where equal. */
            rate: string | null;
            /**
             * @description The fee of the payment, in USD.
             * @example 25.00
             */
            fee_usd: string;
            /**
             * @description Who bears the fee: `customer_pays` adds it to the price, `org_pays` takes it from what settles.
             * @enum {string}
             */
            fee_preference: "customer_pays" | "org_pays";
            /** @description Why it is charged: a purchase, the start or a period of a subscription, or a change of its plan. */
            billing_reason: string;
            /**
             * @description The payment method, such as `USD_CARD`.
             * @enum {string}
             */
            payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
            /** @description The customer; null if the sale has none. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description What is known of the buyer; null while nothing is. */
            customer_details: {
                /** @description The email address. */
                email: string;
                /** @description The name of the buyer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description What was sold, line by line; null if no products were sold, or if only its `invoice` has the lines. */
            line_items: components["schemas"]["LineItem"][] | null;
            /** @description The checkout session; null for a charge of a subscription, and for a deposit. */
            checkout_id: string | null;
            /** @description The id of the subscription; null if there is none. */
            subscription_id: string | null;
            /** @description The invoice that the payment pays; null without one. */
            invoice: {
                /** @description The id of the invoice. */
                invoice_id: string;
                /** @description The number of the invoice; null while it is a draft. */
                number: string | null;
                /** @description The status of the invoice. */
                status: string;
                /** @description The page on which the invoice can be seen and paid; null while it is a draft. */
                hosted_invoice_url: string | null;
            } | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 25.00
             */
            platform_fee: string | null;
            /**
             * @description What the connected account gets of the sale; null if it gets nothing.
             * @example 25.00
             */
            transfer_amount: string | null;
            /**
             * @description How much was refunded, in `currency`.
             * @example 25.00
             */
            refunded_amount: string;
            /**
             * @description Whether nothing, a part or everything was refunded.
             * @enum {string}
             */
            refund_status: "none" | "partial" | "full";
            /** @description Whether the payer has disputed the payment. */
            disputed: boolean;
            /**
             * @description Why the last attempt failed; null if it did not. The list of codes is in the manual.
             * @enum {string|null}
             */
            failure_code: "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed" | "customer_timeout" | "customer_rejected" | "invalid_account" | "rail_unavailable" | null;
            /** @description Why the last attempt failed, as a sentence for the buyer; null if it did not. */
            failure_message: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the payment succeeded or failed; null before, and if it was canceled.
             */
            completed_at: string | null;
        };
        ListedPaymentPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["ListedPayment"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        Payment: {
            /** @description The id of the payment. */
            payment_id: string;
            /**
             * @description The status of the payment.
             * @enum {string}
             */
            status: "requires_action" | "processing" | "succeeded" | "underpaid" | "failed" | "canceled";
            /**
             * @description What the buyer pays, in `currency`.
             * @example 25.00
             */
            amount: string;
            /**
             * @description How much has arrived so far.
             * @example 25.00
             */
            amount_received: string;
            /**
             * @description The currency in which the buyer pays.
             * @example USD
             */
            currency: string;
            /**
             * @description The price in the currency of the sale.
             * @example 25.00
             */
            base_amount: string;
            /**
             * @description The currency of the sale.
             * @example USD
             */
            base_currency: string;
            /** @description Units of the currency for one of the base currency; null where equal. */
            rate: string | null;
            /**
             * @description The fee of the payment, in USD.
             * @example 25.00
             */
            fee_usd: string;
            /**
             * @description Who bears the fee: `customer_pays` adds it to the price, `org_pays` takes it from what settles.
             * @enum {string}
             */
            fee_preference: "customer_pays" | "org_pays";
            /** @description Why it is charged: a purchase, the start or a period of a subscription, or a change of its plan. */
            billing_reason: string;
            /**
             * @description The payment method, such as `USD_CARD`.
             * @enum {string}
             */
            payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
            /** @description The customer; null if the sale has none. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description What is known of the buyer; null while nothing is. */
            customer_details: {
                /** @description The email address. */
                email: string;
                /** @description The name of the buyer; null if it is not known. */
                name: string | null;
            } | null;
            /** @description What was sold, line by line; null if no products were sold, or if only its `invoice` has the lines. */
            line_items: components["schemas"]["LineItem"][] | null;
            /** @description The checkout session; null for a charge of a subscription, and for a deposit. */
            checkout_id: string | null;
            /** @description The id of the subscription; null if there is none. */
            subscription_id: string | null;
            /** @description The invoice that the payment pays; null without one. */
            invoice: {
                /** @description The id of the invoice. */
                invoice_id: string;
                /** @description The number of the invoice; null while it is a draft. */
                number: string | null;
                /** @description The status of the invoice. */
                status: string;
                /** @description The page on which the invoice can be seen and paid; null while it is a draft. */
                hosted_invoice_url: string | null;
            } | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /**
             * @description What the platform keeps of the sale; null if it keeps nothing.
             * @example 25.00
             */
            platform_fee: string | null;
            /**
             * @description What the connected account gets of the sale; null if it gets nothing.
             * @example 25.00
             */
            transfer_amount: string | null;
            /**
             * @description How much was refunded, in `currency`.
             * @example 25.00
             */
            refunded_amount: string;
            /**
             * @description Whether nothing, a part or everything was refunded.
             * @enum {string}
             */
            refund_status: "none" | "partial" | "full";
            /** @description Whether the payer has disputed the payment. */
            disputed: boolean;
            /**
             * @description Why the last attempt failed; null if it did not. The list of codes is in the manual.
             * @enum {string|null}
             */
            failure_code: "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed" | "customer_timeout" | "customer_rejected" | "invalid_account" | "rail_unavailable" | null;
            /** @description Why the last attempt failed, as a sentence for the buyer; null if it did not. */
            failure_message: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the payment succeeded or failed; null before, and if it was canceled.
             */
            completed_at: string | null;
            /** @description Details of the payer, which differ by payment method; null before they are known. */
            payment_method_details: {
                [key: string]: string | number | boolean | null;
            } | null;
        };
        Summary: {
            /**
             * Format: date-time
             * @description The beginning of the month, in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description The time up to which payments are added up.
             */
            until: string;
            /** @description Succeeded payments by the day on which they were created. Refunds are not deducted. */
            volume: {
                /**
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /** @description What buyers have paid, and by how many payments. */
                today: {
                    /**
                     * @description What buyers have paid.
                     * @example 25.00
                     */
                    amount: string;
                    /** @description How many payments have succeeded. */
                    count: number;
                };
                /** @description What buyers have paid, and by how many payments. */
                month: {
                    /**
                     * @description What buyers have paid.
                     * @example 25.00
                     */
                    amount: string;
                    /** @description How many payments have succeeded. */
                    count: number;
                };
                /** @description The days in UTC with a payment that has succeeded, the earliest first. */
                days: {
                    /**
                     * Format: date
                     * @description A day in UTC.
                     * @example 2026-11-25
                     */
                    date: string;
                    /**
                     * @description What buyers have paid.
                     * @example 25.00
                     */
                    amount: string;
                    /** @description How many payments have succeeded. */
                    count: number;
                }[];
            }[];
            /** @description How many payments have succeeded and failed. Open and canceled ones are not counted. */
            payment_methods: {
                /**
                 * @description The payment method, such as `USD_CARD`.
                 * @enum {string}
                 */
                payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
                /** @description How many payments have succeeded. */
                succeeded: number;
                /** @description How many payments have failed. */
                failed: number;
            }[];
        };
        PaymentMethod: {
            /**
             * @description The kind of payment method.
             * @enum {string}
             */
            id: "card" | "bank_transfer" | "mobile_money" | "crypto";
            /** @description The name that buyers see. */
            display_name: string;
            /** @description The name of an icon. The icon itself is yours to choose. */
            icon: string;
            /** @description What the method is, in a sentence. */
            description: string;
            /**
             * @description Whether it takes money of a state or crypto assets.
             * @enum {string}
             */
            type: "fiat" | "crypto";
            /** @description Whether the method is on unless you switch it off. */
            enabled_by_default: boolean;
            /** @description The currencies that it takes. */
            currencies: string[];
        };
        PaymentMethods: {
            /** @description The payment methods. */
            payment_methods: components["schemas"]["PaymentMethod"][];
        };
        SavedPaymentMethod: {
            /** @description The id of the saved card. */
            payment_method_id: string;
            /**
             * @description The kind of payment method.
             * @constant
             */
            type: "card";
            /** @description What is shown of the card. */
            card: {
                /** @description The brand of the card. */
                brand: string;
                /** @description The last four digits of the card. */
                last4: string;
                /** @description The month in which the card expires, 1 to 12. */
                exp_month: number;
                /** @description The year in which the card expires, with four digits. */
                exp_year: number;
                /** @description The country of the bank that issued the card. */
                country: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        SavedPaymentMethodPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["SavedPaymentMethod"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        AttachPaymentMethod: {
            /**
             * @description The id of the saved card.
             * @example pm_…
             */
            payment_method_id: string;
        };
        CreateProduct: {
            /** @description The name of the product, as buyers see it. */
            name: string;
            /**
             * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
             * @enum {string}
             */
            price_type: "fixed" | "free" | "custom";
            /**
             * Format: currency
             * @description The currency of the price.
             * @example USD
             */
            currency: string;
            /** @description What the product is, as buyers see it; null without a text. */
            description?: string | null;
            /** @description Whether it can be used. One that is not active can still be read. */
            active?: boolean | null;
            /**
             * @description The price, for `price_type` `fixed`; else null.
             * @example 25.00
             */
            amount?: string | null;
            /**
             * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            minimum_amount?: string | null;
            /**
             * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            maximum_amount?: string | null;
            /**
             * @description The price that is suggested, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            suggested_amount?: string | null;
            /** @description How the product is billed again; null for a product that is sold once. */
            recurring?: {
                /**
                 * @description The unit of the period.
                 * @enum {string}
                 */
                interval: "day" | "week" | "month" | "year";
                /** @description Default 1; at most three years. */
                interval_count?: number | null;
                /** @description Default 0. */
                trial_days?: number | null;
            } | null;
            /** @description Uploads, in the order to show them in. */
            images?: string[] | null;
            /**
             * @description The category of the product; null without one.
             * @enum {string|null}
             */
            category?: "software" | "saas" | "digital_downloads" | "games" | "web_hosting" | "ebooks" | "music_and_video" | "news_and_newsletters" | "online_courses" | "tutoring" | "clothing" | "electronics" | "food_and_groceries" | "health_and_beauty" | "home_and_garden" | "general_merchandise" | "consulting" | "design_and_marketing" | "repairs_and_maintenance" | "logistics" | "events_and_tickets" | "restaurants" | "travel_and_accommodation" | "memberships" | "donations" | "utilities_and_bills" | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        Product: {
            /** @description The id of the product. */
            product_id: string;
            /** @description The name of the product, as buyers see it. */
            name: string;
            /** @description What the product is, as buyers see it; null without a text. */
            description: string | null;
            /** @description False once it is archived. */
            active: boolean;
            /**
             * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
             * @enum {string}
             */
            price_type: "fixed" | "free" | "custom";
            /**
             * @description The price, for `price_type` `fixed`; else null.
             * @example 25.00
             */
            amount: string | null;
            /**
             * @description The currency of the price.
             * @example USD
             */
            currency: string;
            /**
             * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            minimum_amount: string | null;
            /**
             * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            maximum_amount: string | null;
            /**
             * @description The price that is suggested, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            suggested_amount: string | null;
            /** @description How the product is billed again; null for a product that is sold once. */
            recurring: components["schemas"]["ProductRecurring"] | null;
            /** @description The pictures of the product, in order. */
            images: {
                /** @description The id of the upload. */
                upload_id: string;
                /** @description The address of the picture. */
                url: string;
            }[];
            /** @description The category of the product; null without one. */
            category: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        ProductPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Product"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangeProduct: {
            /** @description The name of the product, as buyers see it. */
            name?: string | null;
            /**
             * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
             * @enum {string|null}
             */
            price_type?: "fixed" | "free" | "custom" | null;
            /**
             * Format: currency
             * @description The currency of the price.
             * @example USD
             */
            currency?: string | null;
            /** @description What the product is, as buyers see it; null without a text. */
            description?: string | null;
            /** @description Whether it can be used. One that is not active can still be read. */
            active?: boolean | null;
            /**
             * @description The price, for `price_type` `fixed`; else null.
             * @example 25.00
             */
            amount?: string | null;
            /**
             * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            minimum_amount?: string | null;
            /**
             * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            maximum_amount?: string | null;
            /**
             * @description The price that is suggested, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            suggested_amount?: string | null;
            /** @description How the product is billed again; null for a product that is sold once. */
            recurring?: {
                /**
                 * @description The unit of the period.
                 * @enum {string}
                 */
                interval: "day" | "week" | "month" | "year";
                /** @description Default 1; at most three years. */
                interval_count?: number | null;
                /** @description Default 0. */
                trial_days?: number | null;
            } | null;
            /** @description Uploads, in the order to show them in. */
            images?: string[] | null;
            /**
             * @description The category of the product; null without one.
             * @enum {string|null}
             */
            category?: "software" | "saas" | "digital_downloads" | "games" | "web_hosting" | "ebooks" | "music_and_video" | "news_and_newsletters" | "online_courses" | "tutoring" | "clothing" | "electronics" | "food_and_groceries" | "health_and_beauty" | "home_and_garden" | "general_merchandise" | "consulting" | "design_and_marketing" | "repairs_and_maintenance" | "logistics" | "events_and_tickets" | "restaurants" | "travel_and_accommodation" | "memberships" | "donations" | "utilities_and_bills" | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
        };
        DeletedProduct: {
            /** @description The id of the product. */
            product_id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        CreateProductGroup: {
            /** @description The name of the group. */
            name: string;
            /** @description Active products, in the order to show them in: of one currency, all one-time or all recurring. */
            products: string[];
            /** @description What the group is; null without a text. */
            description?: string | null;
            /** @description Whether it can be used. One that is not active can still be read. */
            active?: boolean | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        ProductGroup: {
            /** @description The id of the product group. */
            product_group_id: string;
            /** @description The name of the group. */
            name: string;
            /** @description What the group is; null without a text. */
            description: string | null;
            /** @description False once it is archived. */
            active: boolean;
            /** @description The ids of the products in the group, in order. */
            products: string[];
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        ProductGroupPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["ProductGroup"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangeProductGroup: {
            /** @description The name of the group. */
            name?: string | null;
            /** @description Active products, in the order to show them in: of one currency, all one-time or all recurring. */
            products?: string[] | null;
            /** @description What the group is; null without a text. */
            description?: string | null;
            /** @description Whether it can be used. One that is not active can still be read. */
            active?: boolean | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
        };
        DeletedProductGroup: {
            /** @description The id of the product group. */
            product_group_id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        CreateUpload: {
            /**
             * Format: binary
             * @description The file: a PNG, JPEG or WebP image or a PDF, of at most 10 MB.
             */
            file: Blob;
        };
        Upload: {
            /** @description The id of the upload. */
            upload_id: string;
            /** @description The name of the file. */
            file_name: string;
            /**
             * @description The type of the file, by its content.
             * @enum {string}
             */
            content_type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf";
            /** @description In bytes. */
            size: number;
            /** @description The SHA-256 of the file, in hex. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        DeletedUpload: {
            /** @description The id of the upload. */
            upload_id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        ProductCategories: {
            /** @description The categories. */
            categories: {
                /**
                 * @description The value to send as `category`.
                 * @enum {string}
                 */
                value: "software" | "saas" | "digital_downloads" | "games" | "web_hosting" | "ebooks" | "music_and_video" | "news_and_newsletters" | "online_courses" | "tutoring" | "clothing" | "electronics" | "food_and_groceries" | "health_and_beauty" | "home_and_garden" | "general_merchandise" | "consulting" | "design_and_marketing" | "repairs_and_maintenance" | "logistics" | "events_and_tickets" | "restaurants" | "travel_and_accommodation" | "memberships" | "donations" | "utilities_and_bills";
                /** @description The name to show. */
                label: string;
            }[];
            /** @description The categories in the groups in which to show them. */
            sections: {
                /** @description The name to show. */
                label: string;
                /** @description The categories. */
                categories: ("software" | "saas" | "digital_downloads" | "games" | "web_hosting" | "ebooks" | "music_and_video" | "news_and_newsletters" | "online_courses" | "tutoring" | "clothing" | "electronics" | "food_and_groceries" | "health_and_beauty" | "home_and_garden" | "general_merchandise" | "consulting" | "design_and_marketing" | "repairs_and_maintenance" | "logistics" | "events_and_tickets" | "restaurants" | "travel_and_accommodation" | "memberships" | "donations" | "utilities_and_bills")[];
            }[];
        };
        GivenBillingAddress: {
            /**
             * @description Street and house number.
             * @example 12 Marina Road
             */
            line1: string;
            /** @description A second line of the address; null if there is none. */
            line2?: string | null;
            /** @description The city. */
            city?: string | null;
            /** @description The state or region; null if there is none. */
            state?: string | null;
            /** @description The postal code; null if there is none. */
            postal_code?: string | null;
            /**
             * Format: iso-3166-1-alpha-2
             * @description The country, as an ISO 3166-1 alpha-2 code.
             * @example NG
             */
            country: string;
        };
        CreateCustomer: {
            /**
             * @description The email address.
             * @example ada@example.com
             */
            email: string;
            /** @description The name of the customer; null if it is not known. */
            name?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The billing address; null if there is none. */
            billing_address?: components["schemas"]["GivenBillingAddress"] | null;
            /**
             * @description The language in which the customer is written to, such as `fr-CI`; null: that of the sale.
             * @example en-NG
             */
            locale?: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        Customer: {
            /** @description The id of the customer. */
            customer_id: string;
            /** @description The email address. */
            email: string;
            /** @description The name of the customer; null if it is not known. */
            name: string | null;
            /** @description The phone number, in the form of E.164. */
            phone_number: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /** @description The billing address; null if there is none. */
            billing_address: {
                /** @description Street and house number. */
                line1: string | null;
                /** @description A second line of the address; null if there is none. */
                line2: string | null;
                /** @description The city. */
                city: string | null;
                /** @description The state or region; null if there is none. */
                state: string | null;
                /** @description The postal code; null if there is none. */
                postal_code: string | null;
                /** @description The country, as an ISO 3166-1 alpha-2 code. */
                country: string | null;
            } | null;
            /** @description The language in which the customer is written to, such as `fr-CI`; null: that of the sale. */
            locale: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        ListedCustomer: {
            /** @description The id of the customer. */
            customer_id: string;
            /** @description The email address. */
            email: string;
            /** @description The name of the customer; null if it is not known. */
            name: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        ListedCustomerPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["ListedCustomer"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        UpdateCustomer: {
            /** @description The name of the customer; null if it is not known. */
            name?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The billing address; null if there is none. */
            billing_address?: components["schemas"]["GivenBillingAddress"] | null;
            /**
             * @description The language in which the customer is written to, such as `fr-CI`; null: that of the sale.
             * @example en-NG
             */
            locale?: string | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
        };
        CreateRefund: {
            /**
             * @description The id of the payment that is refunded.
             * @example pay_…
             */
            charge_id: string;
            /** @description Your own reference. */
            reference: string;
            /**
             * @description In the settlement currency, as a plain decimal number. Left out: everything that is left.
             * @example 10.5
             */
            amount?: number | null;
            /**
             * @description Who pays the fee of the refund: `ORG`, your balance, or `CUSTOMER`, out of what the payer gets.
             * @enum {string|null}
             */
            fee_bearer?: "ORG" | "CUSTOMER" | null;
            /** @description Why it is refunded, as you gave it. */
            reason?: string | null;
            /** @description Required for a payment in crypto. */
            refund_address?: string | null;
            /** @description Whether the seller gives back the same part of what they got. If left out: `false`. */
            reverse_transfer?: boolean | null;
            /** @description Whether the platform gives back the same part of its fee. If left out: `false`. */
            refund_platform_fee?: boolean | null;
            /** @description Does what the header `Idempotency-Key` does. The header is used if both are sent. */
            idempotency_key?: string | null;
            /**
             * @description In the sandbox only.
             * @enum {string|null}
             */
            simulated_outcome?: "success" | "failed" | null;
        };
        Refund: {
            /** @description The id of the refund. */
            refund_id: string;
            /** @description The id of the payment that is refunded. */
            charge_id: string;
            /** @description Your own reference. */
            reference: string;
            /**
             * @description The status of the refund.
             * @enum {string}
             */
            status: "pending" | "processing" | "succeeded" | "failed";
            /**
             * @description How much is to be refunded.
             * @example 25.00
             */
            requested_amount: string;
            /**
             * @description How much was refunded; null until the refund is processed.
             * @example 25.00
             */
            refunded_amount: string | null;
            /**
             * @description The fee of the refund.
             * @example 25.00
             */
            refund_fee_amount: string;
            /**
             * @description Who pays the fee of the refund: `ORG`, your balance, or `CUSTOMER`, out of what the payer gets.
             * @enum {string}
             */
            fee_bearer: "ORG" | "CUSTOMER";
            /**
             * @description The settlement currency, which the amounts are in.
             * @example USD
             */
            currency: string;
            /** @description Why it is refunded, as you gave it. */
            reason?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it reached its final status; null before.
             */
            completed_at: string | null;
        };
        RefundPage: {
            /** @description How many items the whole list has. */
            total: number;
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Refund"][];
        };
        ListedDispute: {
            /** @description The id of the dispute. */
            dispute_id: string;
            /** @description The id of the payment. */
            payment_id: string;
            /** @description The customer; null if the payment has none. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            } | null;
            /**
             * @description How much of the payment is disputed.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The fee of the dispute.
             * @example 25.00
             */
            fee: string;
            /**
             * @description The status of the dispute.
             * @enum {string}
             */
            status: "early_warning" | "needs_response" | "under_review" | "won" | "lost" | "prevented";
            /**
             * @description Why the payer disputes the payment.
             * @enum {string}
             */
            reason: "credit_not_processed" | "duplicate" | "fraudulent" | "general" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized";
            /** @description The reason as the card network codes it; null if it is not known. */
            network_reason_code: string | null;
            /**
             * Format: date-time
             * @description Until when evidence can be submitted.
             */
            evidence_due_at: string;
            /**
             * Format: date-time
             * @description Until when a full refund prevents an announced dispute.
             */
            warns_until: string | null;
            /** @description Whether you have stored any evidence. */
            has_evidence: boolean;
            /** @description Whether it was lost because nobody answered before the time for evidence was over. */
            past_due: boolean;
            /** @description How often evidence was submitted. */
            submission_count: number;
            /**
             * Format: date-time
             * @description When evidence was submitted; null before.
             */
            submitted_at: string | null;
            /**
             * @description How the dispute came to its end; null before.
             * @enum {string|null}
             */
            resolution: "accepted" | "evidence" | "expired" | "withdrawn" | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the dispute ended; null before.
             */
            resolved_at: string | null;
        };
        ListedDisputePage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["ListedDispute"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        DisputeEvidence: {
            /** @description Logins and downloads of the customer. */
            access_activity_log: string | null;
            /** @description The address of the customer’s card. Prefilled. */
            billing_address: string | null;
            /** @description How and when the customer was shown the policy before the purchase. */
            cancellation_policy_disclosure: string | null;
            /** @description Why the subscription was not canceled in time. */
            cancellation_rebuttal: string | null;
            /** @description Prefilled. */
            customer_email_address: string | null;
            /** @description Prefilled. */
            customer_name: string | null;
            /** @description The IP address from which the customer bought. */
            customer_purchase_ip: string | null;
            /** @description Why the two charges are for different things. */
            duplicate_charge_explanation: string | null;
            /** @description The payment that the customer believes to be the same. */
            duplicate_charge_id: string | null;
            /** @description What was sold. */
            product_description: string | null;
            /** @description How and when the customer was shown the policy before the purchase. */
            refund_policy_disclosure: string | null;
            /** @description Why the customer is not entitled to a refund. */
            refund_refusal_explanation: string | null;
            /** @description When the service was delivered. */
            service_date: string | null;
            /** @description Where the product was sent. */
            shipping_address: string | null;
            /** @description Who carried it. */
            shipping_carrier: string | null;
            /** @description When it was sent. */
            shipping_date: string | null;
            /** @description The carrier’s number. */
            shipping_tracking_number: string | null;
            /** @description Anything else. */
            uncategorized_text: string | null;
            /** @description The document with your cancellation policy. */
            cancellation_policy_attachment_id: string | null;
            /** @description The document with what you and the customer wrote to each other. */
            customer_communication_attachment_id: string | null;
            /** @description The document with the customer’s signature. */
            customer_signature_attachment_id: string | null;
            /** @description The document that shows that two charges were for different things. */
            duplicate_charge_attachment_id: string | null;
            /** @description The document with the receipt. */
            receipt_attachment_id: string | null;
            /** @description The document with your refund policy. */
            refund_policy_attachment_id: string | null;
            /** @description The document that shows that a service was provided. */
            service_documentation_attachment_id: string | null;
            /** @description The document that shows that the goods were sent. */
            shipping_documentation_attachment_id: string | null;
            /** @description Any other document. */
            uncategorized_attachment_id: string | null;
        };
        Dispute: {
            /** @description The id of the dispute. */
            dispute_id: string;
            /** @description The id of the payment. */
            payment_id: string;
            /** @description The customer; null if the payment has none. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            } | null;
            /**
             * @description How much of the payment is disputed.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The fee of the dispute.
             * @example 25.00
             */
            fee: string;
            /**
             * @description The status of the dispute.
             * @enum {string}
             */
            status: "early_warning" | "needs_response" | "under_review" | "won" | "lost" | "prevented";
            /**
             * @description Why the payer disputes the payment.
             * @enum {string}
             */
            reason: "credit_not_processed" | "duplicate" | "fraudulent" | "general" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized";
            /** @description The reason as the card network codes it; null if it is not known. */
            network_reason_code: string | null;
            /**
             * Format: date-time
             * @description Until when evidence can be submitted.
             */
            evidence_due_at: string;
            /**
             * Format: date-time
             * @description Until when a full refund prevents an announced dispute.
             */
            warns_until: string | null;
            /** @description Whether you have stored any evidence. */
            has_evidence: boolean;
            /** @description Whether it was lost because nobody answered before the time for evidence was over. */
            past_due: boolean;
            /** @description How often evidence was submitted. */
            submission_count: number;
            /**
             * Format: date-time
             * @description When evidence was submitted; null before.
             */
            submitted_at: string | null;
            /**
             * @description How the dispute came to its end; null before.
             * @enum {string|null}
             */
            resolution: "accepted" | "evidence" | "expired" | "withdrawn" | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the dispute ended; null before.
             */
            resolved_at: string | null;
            /** @description What you have stated and attached against the dispute. */
            evidence: components["schemas"]["DisputeEvidence"];
        };
        ChangeDisputeEvidence: {
            /** @description Logins and downloads of the customer. An empty text clears it. */
            access_activity_log?: string | null;
            /** @description The address of the customer’s card. Prefilled. An empty text clears it. */
            billing_address?: string | null;
            /** @description How and when the customer was shown the policy before the purchase. An empty text clears it. */
            cancellation_policy_disclosure?: string | null;
            /** @description Why the subscription was not canceled in time. An empty text clears it. */
            cancellation_rebuttal?: string | null;
            /** @description Prefilled. An empty text clears it. */
            customer_email_address?: string | null;
            /** @description Prefilled. An empty text clears it. */
            customer_name?: string | null;
            /** @description The IP address from which the customer bought. An empty text clears it. */
            customer_purchase_ip?: string | null;
            /** @description Why the two charges are for different things. An empty text clears it. */
            duplicate_charge_explanation?: string | null;
            /** @description The payment that the customer believes to be the same. An empty text clears it. */
            duplicate_charge_id?: string | null;
            /** @description What was sold. An empty text clears it. */
            product_description?: string | null;
            /** @description How and when the customer was shown the policy before the purchase. An empty text clears it. */
            refund_policy_disclosure?: string | null;
            /** @description Why the customer is not entitled to a refund. An empty text clears it. */
            refund_refusal_explanation?: string | null;
            /** @description When the service was delivered. An empty text clears it. */
            service_date?: string | null;
            /** @description Where the product was sent. An empty text clears it. */
            shipping_address?: string | null;
            /** @description Who carried it. An empty text clears it. */
            shipping_carrier?: string | null;
            /** @description When it was sent. An empty text clears it. */
            shipping_date?: string | null;
            /** @description The carrier’s number. An empty text clears it. */
            shipping_tracking_number?: string | null;
            /** @description Anything else. An empty text clears it. */
            uncategorized_text?: string | null;
            /**
             * @description The document with your cancellation policy.
             * @example doc_…
             */
            cancellation_policy_attachment_id?: string | null;
            /**
             * @description The document with what you and the customer wrote to each other.
             * @example doc_…
             */
            customer_communication_attachment_id?: string | null;
            /**
             * @description The document with the customer’s signature.
             * @example doc_…
             */
            customer_signature_attachment_id?: string | null;
            /**
             * @description The document that shows that two charges were for different things.
             * @example doc_…
             */
            duplicate_charge_attachment_id?: string | null;
            /**
             * @description The document with the receipt.
             * @example doc_…
             */
            receipt_attachment_id?: string | null;
            /**
             * @description The document with your refund policy.
             * @example doc_…
             */
            refund_policy_attachment_id?: string | null;
            /**
             * @description The document that shows that a service was provided.
             * @example doc_…
             */
            service_documentation_attachment_id?: string | null;
            /**
             * @description The document that shows that the goods were sent.
             * @example doc_…
             */
            shipping_documentation_attachment_id?: string | null;
            /**
             * @description Any other document.
             * @example doc_…
             */
            uncategorized_attachment_id?: string | null;
            /** @description Submits the evidence to the network. It is locked then. If left out: `false`. */
            submit?: boolean | null;
        };
        AddDisputeDocument: {
            /**
             * @description An upload: a PDF, JPEG or PNG of 5 MB.
             * @example upl_…
             */
            file: string;
            /**
             * @description The kind of document, which is also the field of the evidence that it is for.
             * @enum {string}
             */
            purpose: "cancellation_policy" | "customer_communication" | "customer_signature" | "duplicate_charge" | "receipt" | "refund_policy" | "service_documentation" | "shipping_documentation" | "uncategorized";
        };
        DisputeDocument: {
            /** @description The id of the document. */
            document_id: string;
            /** @description The id of the dispute. */
            dispute_id: string;
            /** @description One of cancellation_policy, customer_communication, customer_signature, duplicate_charge, receipt, refund_policy, service_documentation, shipping_documentation, uncategorized. */
            purpose: string;
            /** @description The name of the file. */
            file_name: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            uploaded_at: string;
            /** @description A link that opens the file. */
            url: string;
            /**
             * Format: date-time
             * @description When the link to the file ends.
             */
            url_expires_at: string;
        };
        DisputeDocuments: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["DisputeDocument"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        Subscription: {
            /** @description The id of the subscription. */
            subscription_id: string;
            /**
             * @description The status of the subscription.
             * @enum {string}
             */
            status: "trialing" | "active" | "past_due" | "paused" | "canceled";
            /** @description The customer who pays. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            };
            /** @description What is sold in each period. */
            line_items: components["schemas"]["LineItem"][];
            /**
             * @description The price of a period.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The credit of the customer, which the next invoices deduct.
             * @example 25.00
             */
            credit: string;
            /** @description How the subscription repeats. */
            recurring: components["schemas"]["Recurring"];
            /**
             * @description Whether the card is charged, or the customer pays each invoice.
             * @enum {string}
             */
            collection: "automatic" | "invoice";
            /**
             * Format: date-time
             * @description When the current period began.
             */
            current_period_start: string;
            /**
             * Format: date-time
             * @description When the current period ends.
             */
            current_period_end: string;
            /**
             * Format: date-time
             * @description When the trial began; null without one.
             */
            trial_start: string | null;
            /**
             * Format: date-time
             * @description When the trial ends; null without one.
             */
            trial_end: string | null;
            /** @description Whether it ends with the current period. */
            cancel_at_period_end: boolean;
            /** @description Whether it pauses with the end of the current period. */
            pause_at_period_end: boolean;
            /**
             * Format: date-time
             * @description The end of the next period if that is paid already, else null. A cancellation or a pause waits for it.
             */
            paid_ahead_until: string | null;
            /**
             * Format: date-time
             * @description When a paused subscription resumes by itself; null if it does not.
             */
            resumes_at: string | null;
            /**
             * Format: date-time
             * @description When the cancellation was asked for; null if it was not.
             */
            canceled_at: string | null;
            /**
             * Format: date-time
             * @description When the subscription ended; null before.
             */
            ended_at: string | null;
            /** @description Who canceled it and why; null if nobody did. */
            cancellation: {
                /** @description Why it was canceled; null without a reason. */
                reason: string | null;
                /** @description A comment on the cancellation; null without one. */
                comment: string | null;
                /**
                 * @description Who canceled it.
                 * @enum {string}
                 */
                by: "merchant" | "customer" | "service";
            } | null;
            /**
             * Format: date-time
             * @description Since when a payment is overdue; null if none is.
             */
            past_due_at: string | null;
            /**
             * Format: date-time
             * @description When the open invoice is charged again; null if it is not.
             */
            next_payment_attempt_at: string | null;
            /** @description How often the open invoice was charged without success. */
            attempt_count: number;
            /** @description How it began or was paid last, such as `CARD` or `MOMO_KES`; `CARD` after a change of the card; null if neither. */
            payment_method: string | null;
            /** @description The saved card that is charged; null if none is. */
            payment_method_id: string | null;
            /** @description A change that takes effect with the next period; null without one. */
            pending_update: {
                /** @description What is sold after the change. */
                line_items: components["schemas"]["LineItem"][];
                /**
                 * @description The price of a period after the change.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The unit of the period.
                 * @enum {string}
                 */
                interval: "day" | "week" | "month" | "year";
                /** @description How many intervals a period has. */
                interval_count: number;
                /**
                 * Format: date-time
                 * @description When the change takes effect.
                 */
                effective_at: string;
            } | null;
            /** @description The newest invoice; null without one. */
            latest_invoice_id: string | null;
            /** @description The id of the checkout session. */
            checkout_id: string;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        SubscriptionPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Subscription"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        EditSubscription: {
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
            /**
             * @description The id of the saved card.
             * @example pm_…
             */
            payment_method_id?: string | null;
            /**
             * @description Another end of the trial, or `now`.
             * @example 2026-01-31T00:00:00Z
             */
            trial_end?: string | null;
        };
        CancelSubscription: {
            /** @description Default true; false ends it now. */
            at_period_end?: boolean | null;
            /** @description Why it is canceled. */
            reason?: string | null;
            /** @description A comment on the cancellation; null without one. */
            comment?: string | null;
        };
        PauseSubscription: {
            /** @description Default true; false pauses it now. */
            at_period_end?: boolean | null;
            /**
             * Format: date-time
             * @description When a paused subscription resumes by itself; null if it does not.
             * @example 2026-01-31T00:00:00Z
             */
            resumes_at?: string | null;
        };
        ChangePlan: {
            /**
             * @description Default: the product as before.
             * @example prod_…
             */
            product_id?: string | null;
            /** @description Default: as before. */
            quantity?: number | null;
            /**
             * @description For price_type custom.
             * @example 25.00
             */
            amount?: string | null;
            /**
             * @description Default prorate.
             * @enum {string|null}
             */
            proration?: "prorate" | "next_period" | "none" | null;
        };
        InvoiceLine: {
            /** @description The id of the product; null if the line is about none. */
            product_id: string | null;
            /** @description The name of the product when it was sold. */
            product_name: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description `fixed`: a set price. `free`: no price. `custom`: the buyer chooses the price.
             * @enum {string}
             */
            price_type: "fixed" | "free" | "custom";
            /**
             * @description The least that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            minimum_amount: string | null;
            /**
             * @description The most that a buyer may pay, for a price that the buyer chooses; else null.
             * @example 25.00
             */
            maximum_amount: string | null;
            /** @description How many are billed. */
            quantity: number;
            /**
             * @description The price of one. What is given back is negative.
             * @example -5.00
             */
            unit_amount: string;
            /**
             * @description The price of the whole line. What is given back is negative.
             * @example -5.00
             */
            line_total: string;
            /**
             * @description What the line is: a plan, the unused or the remaining part of one, or a credit.
             * @enum {string}
             */
            kind: "plan" | "unused" | "remaining" | "credit";
            /**
             * Format: date-time
             * @description When the billed time begins; null if no time is billed.
             */
            period_start: string | null;
            /**
             * Format: date-time
             * @description When the billed time ends; null if no time is billed.
             */
            period_end: string | null;
        };
        PlanPreview: {
            /** @description What the change would book now. */
            lines: components["schemas"]["InvoiceLine"][];
            /**
             * @description What would be charged now.
             * @example 25.00
             */
            amount_due: string;
            /**
             * @description The credit that the subscription would have after it.
             * @example 25.00
             */
            credit: string;
            /**
             * @description How the credit would change.
             * @example -5.00
             */
            credit_change: string;
            /**
             * @description What refunds and disputes have returned of the charge for the period. `prorate` does not give it back again.
             * @example 25.00
             */
            returned_amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The price of a period after the change.
             * @example 25.00
             */
            amount: string;
            /**
             * Format: date-time
             * @description When the change takes effect.
             */
            effective_at: string;
            /**
             * Format: date-time
             * @description When it would be charged next.
             */
            next_charge_at: string;
            /** @description The lines of the invoice that would be charged now; null if none would. */
            invoice_lines: components["schemas"]["InvoiceLine"][] | null;
            /** @description What the card would be charged now; null if nothing, or if it is in another currency. */
            charge: {
                /**
                 * @description What the card would be charged, with the fee if the customer bears it.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The fee that the customer bears, which is part of it.
                 * @example 25.00
                 */
                fee: string;
                /**
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
            } | null;
        };
        Invoice: {
            /** @description The id of the invoice. */
            invoice_id: string;
            /** @description The number of the invoice; null while it is a draft. */
            number: string | null;
            /**
             * @description The status of the invoice.
             * @enum {string}
             */
            status: "draft" | "open" | "paid" | "void" | "uncollectible";
            /**
             * @description Why it is billed.
             * @enum {string}
             */
            billing_reason: "purchase" | "subscription_create" | "subscription_cycle" | "subscription_update";
            /** @description The customer who pays. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            };
            /** @description The id of the subscription; null if there is none. */
            subscription_id: string | null;
            /** @description The payment that has paid it; null if none has. */
            payment_id: string | null;
            /** @description What is billed, line by line. */
            line_items: components["schemas"]["InvoiceLine"][];
            /**
             * @description What the lines cost together.
             * @example 25.00
             */
            subtotal: string;
            /**
             * @description What is billed.
             * @example 25.00
             */
            total: string;
            /**
             * @description How much counts as paid: the total, also where a short payment was accepted.
             * @example 25.00
             */
            amount_paid: string;
            /**
             * @description How much is still to be paid.
             * @example 25.00
             */
            amount_due: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the billed time begins; null if no time is billed.
             */
            period_start: string | null;
            /**
             * Format: date-time
             * @description When the billed time ends; null if no time is billed.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Until when it is to be paid; null if no day is set.
             */
            due_at: string | null;
            /** @description How often a charge of the invoice was tried. */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the open invoice is charged again; null if it is not.
             */
            next_payment_attempt_at: string | null;
            /** @description The page on which the invoice can be seen and paid; null while it is a draft. */
            hosted_invoice_url: string | null;
            /** @description The address of the PDF; null while it is a draft. */
            pdf_url: string | null;
            /** @description The billing address; null if there is none. */
            billing_address: {
                /** @description Street and house number. */
                line1: string | null;
                /** @description A second line of the address; null if there is none. */
                line2: string | null;
                /** @description The city. */
                city: string | null;
                /** @description The state or region; null if there is none. */
                state: string | null;
                /** @description The postal code; null if there is none. */
                postal_code: string | null;
                /** @description The country, as an ISO 3166-1 alpha-2 code. */
                country: string | null;
            } | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it got its number and was opened; null before.
             */
            finalized_at: string | null;
            /**
             * Format: date-time
             * @description When it was paid; null if it was not.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it was voided; null if it was not.
             */
            voided_at: string | null;
        };
        InvoicePage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Invoice"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        PublicInvoiceLine: {
            /** @description The name of the product when it was sold. */
            product_name: string;
            /** @description How many are billed. */
            quantity: number;
            /**
             * @description The price of one. What is given back is negative.
             * @example -5.00
             */
            unit_amount: string;
            /**
             * @description The price of the whole line. What is given back is negative.
             * @example -5.00
             */
            line_total: string;
            /**
             * @description What the line is: a plan, the unused or the remaining part of one, or a credit.
             * @enum {string}
             */
            kind: "plan" | "unused" | "remaining" | "credit";
            /**
             * Format: date-time
             * @description When the billed time begins; null if no time is billed.
             */
            period_start: string | null;
            /**
             * Format: date-time
             * @description When the billed time ends; null if no time is billed.
             */
            period_end: string | null;
        };
        PublicInvoice: {
            /** @description The number of the invoice; null while it is a draft. */
            number: string | null;
            /**
             * @description The status of the invoice.
             * @enum {string}
             */
            status: "draft" | "open" | "paid" | "void" | "uncollectible";
            /** @description Whether it can be paid on its page now. */
            can_be_paid: boolean;
            /** @description The name of the seller. */
            merchant_name: string;
            /** @description What pages show of the seller. */
            merchant: {
                /** @description The address for questions; null if there is none. */
                support_email: string | null;
                /** @description The address of the logo; null if there is none. */
                logo_url: string | null;
                /** @description A colour, as `#rrggbb`; null if there is none. */
                accent_color: string | null;
            };
            /**
             * @description The environment: `sandbox`, in which no money moves, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description The `locale` of the customer, else of the checkout session that began the subscription; null if neither names one. */
            locale: string | null;
            /** @description The name of the customer; null if it is not known. */
            customer_name: string | null;
            /** @description What is billed, line by line. */
            line_items: components["schemas"]["PublicInvoiceLine"][];
            /**
             * @description What the lines cost together.
             * @example 25.00
             */
            subtotal: string;
            /**
             * @description What is billed.
             * @example 25.00
             */
            total: string;
            /**
             * @description How much counts as paid: the total, also where a short payment was accepted.
             * @example 25.00
             */
            amount_paid: string;
            /**
             * @description What can be paid here; zero where nothing can.
             * @example 25.00
             */
            amount_due: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the billed time begins.
             */
            period_start: string;
            /**
             * Format: date-time
             * @description When the billed time ends.
             */
            period_end: string;
            /**
             * Format: date-time
             * @description Until when it is to be paid.
             */
            due_at: string;
            /**
             * Format: date-time
             * @description When it was paid; null if it was not.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it was voided; null if it was not.
             */
            voided_at: string | null;
        };
        CustomerState: {
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
            /** @description The subscriptions of the customer. */
            subscriptions: components["schemas"]["Subscription"][];
            /** @description The invoices of the customer that are open. */
            open_invoices: components["schemas"]["Invoice"][];
            /** @description The saved cards of the customer. */
            payment_methods: components["schemas"]["SavedPaymentMethod"][];
        };
        /** @description The one thing that the customer may change. Default: everything. */
        GivenPortalFlow: {
            /**
             * @description What the customer may do.
             * @enum {string}
             */
            type: "payment_method_update" | "subscription_cancel" | "subscription_update";
            /**
             * @description Default: any subscription of the customer.
             * @example sub_…
             */
            subscription_id?: string | null;
            /**
             * @description For subscription_update: only to plans of this group.
             * @example pg_…
             */
            product_group_id?: string | null;
        };
        CreateCustomerSession: {
            /**
             * @description The id of the customer.
             * @example cust_…
             */
            customer_id: string;
            /**
             * Format: url
             * @description Where the pages lead to when the person is done.
             * @example https://example.com/thanks
             */
            return_url: string;
            /** @description The one thing that the customer may do in the session; null if it is open for everything. */
            flow?: components["schemas"]["GivenPortalFlow"] | null;
        };
        PortalFlow: {
            /**
             * @description What the customer may do.
             * @enum {string}
             */
            type: "payment_method_update" | "subscription_cancel" | "subscription_update";
            /** @description The id of the subscription; null if there is none. */
            subscription_id: string | null;
            /** @description The group of plans to choose from; null if none is set. */
            product_group_id: string | null;
        };
        CustomerSession: {
            /** @description The id of the customer session. */
            customer_session_id: string;
            /** @description The id of the customer. */
            customer_id: string;
            /** @description Shown once. It opens this customer’s portal, and nothing else. */
            token: string;
            /** @description The hosted portal, with the token. Send the customer there. */
            url: string;
            /** @description Where the pages lead to when the person is done. */
            return_url: string;
            /** @description The one thing that the customer may do in the session; null if it is open for everything. */
            flow: components["schemas"]["PortalFlow"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        CustomerPortal: {
            /** @description The id of the customer. */
            customer_id: string;
            /** @description The email address. */
            email: string;
            /** @description The name of the customer; null if it is not known. */
            name: string | null;
            /** @description The phone number, in the form of E.164. */
            phone_number: string | null;
            /** @description The billing address; null if there is none. */
            billing_address: {
                /** @description Street and house number. */
                line1: string | null;
                /** @description A second line of the address; null if there is none. */
                line2: string | null;
                /** @description The city. */
                city: string | null;
                /** @description The state or region; null if there is none. */
                state: string | null;
                /** @description The postal code; null if there is none. */
                postal_code: string | null;
                /** @description The country, as an ISO 3166-1 alpha-2 code. */
                country: string | null;
            } | null;
            /** @description What pages show of the seller. */
            merchant: {
                /** @description The name of the seller. */
                name: string;
                /** @description The address for questions; null if there is none. */
                support_email: string | null;
                /** @description A colour, as `#rrggbb`; null if there is none. */
                accent_color: string | null;
                /** @description The address of the logo; null if there is none. */
                logo_url: string | null;
            };
            /**
             * @description The environment: `sandbox`, in which no money moves, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description The `locale` of the customer, else of the checkout session that began the newest subscription; null if neither names one. */
            locale: string | null;
            /** @description The one thing that the customer may do in the session; null if it is open for everything. */
            flow: components["schemas"]["PortalFlow"] | null;
            /** @description Whether a card can be saved without a payment now. If not, paying an invoice saves one. */
            can_add_cards: boolean;
            /** @description Where the pages lead to when the person is done. */
            return_url: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        ChangePortalCustomer: {
            /** @description The name of the customer. */
            name?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The billing address; null if there is none. */
            billing_address?: components["schemas"]["GivenBillingAddress"] | null;
            /**
             * @description The language of the buyer, such as `en-NG`.
             * @example en-NG
             */
            locale?: string | null;
        };
        PortalSubscription: {
            /** @description The id of the subscription. */
            subscription_id: string;
            /**
             * @description The status of the subscription.
             * @enum {string}
             */
            status: "trialing" | "active" | "past_due" | "paused" | "canceled";
            /** @description The customer who pays. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            };
            /** @description What is sold in each period. */
            line_items: components["schemas"]["LineItem"][];
            /**
             * @description The price of a period.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The credit of the customer, which the next invoices deduct.
             * @example 25.00
             */
            credit: string;
            /** @description How the subscription repeats. */
            recurring: components["schemas"]["Recurring"];
            /**
             * @description Whether the card is charged, or the customer pays each invoice.
             * @enum {string}
             */
            collection: "automatic" | "invoice";
            /**
             * Format: date-time
             * @description When the current period began.
             */
            current_period_start: string;
            /**
             * Format: date-time
             * @description When the current period ends.
             */
            current_period_end: string;
            /**
             * Format: date-time
             * @description When the trial began; null without one.
             */
            trial_start: string | null;
            /**
             * Format: date-time
             * @description When the trial ends; null without one.
             */
            trial_end: string | null;
            /** @description Whether it ends with the current period. */
            cancel_at_period_end: boolean;
            /** @description Whether it pauses with the end of the current period. */
            pause_at_period_end: boolean;
            /**
             * Format: date-time
             * @description The end of the next period if that is paid already, else null. A cancellation or a pause waits for it.
             */
            paid_ahead_until: string | null;
            /**
             * Format: date-time
             * @description When a paused subscription resumes by itself; null if it does not.
             */
            resumes_at: string | null;
            /**
             * Format: date-time
             * @description When the cancellation was asked for; null if it was not.
             */
            canceled_at: string | null;
            /**
             * Format: date-time
             * @description When the subscription ended; null before.
             */
            ended_at: string | null;
            /** @description Who canceled it and why; null if nobody did. */
            cancellation: {
                /** @description Why it was canceled; null without a reason. */
                reason: string | null;
                /** @description A comment on the cancellation; null without one. */
                comment: string | null;
                /**
                 * @description Who canceled it.
                 * @enum {string}
                 */
                by: "merchant" | "customer" | "service";
            } | null;
            /**
             * Format: date-time
             * @description Since when a payment is overdue; null if none is.
             */
            past_due_at: string | null;
            /**
             * Format: date-time
             * @description When the open invoice is charged again; null if it is not.
             */
            next_payment_attempt_at: string | null;
            /** @description How often the open invoice was charged without success. */
            attempt_count: number;
            /** @description How it began or was paid last, such as `CARD` or `MOMO_KES`; `CARD` after a change of the card; null if neither. */
            payment_method: string | null;
            /** @description The saved card that is charged; null if none is. */
            payment_method_id: string | null;
            /** @description A change that takes effect with the next period; null without one. */
            pending_update: {
                /** @description What is sold after the change. */
                line_items: components["schemas"]["LineItem"][];
                /**
                 * @description The price of a period after the change.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The unit of the period.
                 * @enum {string}
                 */
                interval: "day" | "week" | "month" | "year";
                /** @description How many intervals a period has. */
                interval_count: number;
                /**
                 * Format: date-time
                 * @description When the change takes effect.
                 */
                effective_at: string;
            } | null;
            /** @description The newest invoice; null without one. */
            latest_invoice_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * @description Who bears the fee: `customer_pays` adds it to the price, `org_pays` takes it from what settles.
             * @enum {string}
             */
            fee_preference: "customer_pays" | "org_pays";
            /**
             * @description The currency in which the card is charged; null without a card.
             * @example USD
             */
            charge_currency: string | null;
            /**
             * @description What the invoice of the next period bills, after credit; null while it is not open.
             * @example 25.00
             */
            next_invoice_amount: string | null;
        };
        PortalSubscriptionPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["PortalSubscription"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        CancelOwnSubscription: {
            /** @description Why it is canceled. */
            reason?: string | null;
            /** @description A comment on the cancellation; null without one. */
            comment?: string | null;
        };
        PickPaymentMethod: {
            /**
             * @description The id of the saved card.
             * @example pm_…
             */
            payment_method_id: string;
        };
        PortalPlans: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["OfferedProduct"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
            /** @description The group of the plans; null if there are none to choose from. */
            product_group_id: string | null;
        };
        PickPlan: {
            /**
             * @description The id of the product.
             * @example prod_…
             */
            product_id: string;
        };
        PortalInvoice: {
            /** @description The id of the invoice. */
            invoice_id: string;
            /** @description The number of the invoice; null while it is a draft. */
            number: string | null;
            /**
             * @description The status of the invoice.
             * @enum {string}
             */
            status: "draft" | "open" | "paid" | "void" | "uncollectible";
            /**
             * @description Why it is billed.
             * @enum {string}
             */
            billing_reason: "purchase" | "subscription_create" | "subscription_cycle" | "subscription_update";
            /** @description The customer who pays. */
            customer: {
                /** @description The id of the customer’s record. */
                id: string;
                /** @description The email address. */
                email: string;
                /** @description The name of the customer; null if it is not known. */
                name: string | null;
            };
            /** @description The id of the subscription; null if there is none. */
            subscription_id: string | null;
            /** @description The payment that has paid it; null if none has. */
            payment_id: string | null;
            /** @description What is billed, line by line. */
            line_items: components["schemas"]["InvoiceLine"][];
            /**
             * @description What the lines cost together.
             * @example 25.00
             */
            subtotal: string;
            /**
             * @description What is billed.
             * @example 25.00
             */
            total: string;
            /**
             * @description How much counts as paid: the total, also where a short payment was accepted.
             * @example 25.00
             */
            amount_paid: string;
            /**
             * @description How much is still to be paid.
             * @example 25.00
             */
            amount_due: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the billed time begins; null if no time is billed.
             */
            period_start: string | null;
            /**
             * Format: date-time
             * @description When the billed time ends; null if no time is billed.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Until when it is to be paid; null if no day is set.
             */
            due_at: string | null;
            /** @description How often a charge of the invoice was tried. */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the open invoice is charged again; null if it is not.
             */
            next_payment_attempt_at: string | null;
            /** @description The page on which the invoice can be seen and paid; null while it is a draft. */
            hosted_invoice_url: string | null;
            /** @description The address of the PDF; null while it is a draft. */
            pdf_url: string | null;
            /** @description The billing address; null if there is none. */
            billing_address: {
                /** @description Street and house number. */
                line1: string | null;
                /** @description A second line of the address; null if there is none. */
                line2: string | null;
                /** @description The city. */
                city: string | null;
                /** @description The state or region; null if there is none. */
                state: string | null;
                /** @description The postal code; null if there is none. */
                postal_code: string | null;
                /** @description The country, as an ISO 3166-1 alpha-2 code. */
                country: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it got its number and was opened; null before.
             */
            finalized_at: string | null;
            /**
             * Format: date-time
             * @description When it was paid; null if it was not.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description When it was voided; null if it was not.
             */
            voided_at: string | null;
        };
        PortalInvoicePage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["PortalInvoice"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        AddPaymentMethod: {
            /**
             * @description The subscription that the card is for: the portal then offers to charge it there.
             * @example sub_…
             */
            subscription_id?: string | null;
        };
        RemovedPaymentMethod: {
            /** @description The id of the saved card. */
            payment_method_id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        CreatePayoutDestination: {
            /**
             * Format: currency
             * @description The currency that it receives: an ISO 4217 code, or an asset such as `USDT_TRC20`.
             * @example NGN
             */
            currency: string;
            /**
             * @description The kind of destination.
             * @enum {string|null}
             */
            type?: "bank_account" | "mobile_money" | "crypto_wallet" | null;
            /**
             * @description Another name of `type`. `type` is used if both are sent.
             * @enum {string|null}
             */
            destination_type?: "bank_account" | "mobile_money" | "crypto_wallet" | null;
            /** @description The account number or IBAN; null for other types. */
            account_number?: string | null;
            /** @description In NGN a registration gets it from the bank; an update uses it as sent. */
            account_name?: string | null;
            /** @description A code of the bank, a sort code, an ABA or a transit number, or a BIC. */
            bank_code?: string | null;
            /** @description The name of the bank; null for other types. */
            bank_name?: string | null;
            /** @description The payment scheme for USD (`ach`, `wire`) and CAD (`eft`, `wire`). */
            scheme?: string | null;
            /**
             * Format: e164
             * @description The number of the mobile money wallet; null for other types.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The mobile money provider; null for other types. */
            mobile_provider?: string | null;
            /** @description The address of the crypto wallet; null for other types. */
            wallet_address?: string | null;
            /** @description May be left out, as the currency implies it. */
            network?: string | null;
            /** @description Whether the payout schedule of its currency pays to it. */
            is_default?: boolean | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Your name for the destination. */
            name: string;
        };
        PayoutDestination: {
            /** @description The id of the destination. */
            id: string;
            /** @description Your name for the destination. */
            name: string;
            /**
             * @description The kind of destination.
             * @enum {string}
             */
            type: "bank_account" | "mobile_money" | "crypto_wallet";
            /** @description The currency that it receives: an ISO 4217 code, or an asset such as `USDT_TRC20`. */
            currency: string;
            /**
             * @description The status of its review.
             * @enum {string}
             */
            status: "pending_review" | "approved" | "rejected";
            /** @description Why it was rejected; null if it was not. */
            status_reason: string | null;
            /** @description Whether payouts can be made to it: it is approved, and not deactivated. */
            is_usable: boolean;
            /** @description Whether the payout schedule of its currency pays to it. */
            is_default: boolean;
            /** @description The account number or IBAN; null for other types. */
            account_number: string | null;
            /** @description The name of the account’s holder; null for other types. */
            account_name: string | null;
            /** @description The code of the bank: which one, depends on the country. */
            bank_code: string | null;
            /** @description The name of the bank; null for other types. */
            bank_name: string | null;
            /** @description How the bank is paid, such as `ach` or `wire`; null where there is no choice. */
            scheme: string | null;
            /** @description The number of the mobile money wallet; null for other types. */
            phone_number: string | null;
            /** @description The mobile money provider; null for other types. */
            mobile_provider: string | null;
            /** @description The address of the crypto wallet; null for other types. */
            wallet_address: string | null;
            /** @description The network of the wallet; null for other types. */
            network: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was last decided; null before.
             */
            reviewed_at: string | null;
            /**
             * Format: date-time
             * @description When it was deactivated; null if it was not.
             */
            deactivated_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        PayoutDestinationPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["PayoutDestination"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ResolveAccount: {
            /**
             * Format: currency
             * @description The currency of the account.
             * @example NGN
             */
            currency: string;
            /** @description The code of the bank: which one, depends on the country. */
            bank_code: string;
            /** @description The account number. */
            account_number: string;
        };
        ResolvedAccount: {
            /** @description The currency of the amounts, as an ISO 4217 code. */
            currency: string;
            /** @description The code of the bank: which one, depends on the country. */
            bank_code: string;
            /** @description The name of the bank; null if it is not known. */
            bank_name: string | null;
            /** @description The account number. */
            account_number: string;
            /** @description The name of the account’s holder, as the bank has it. */
            account_name: string;
        };
        ChangePayoutDestination: {
            /**
             * Format: currency
             * @description The currency that it receives: an ISO 4217 code, or an asset such as `USDT_TRC20`.
             * @example NGN
             */
            currency?: string | null;
            /**
             * @description The kind of destination.
             * @enum {string|null}
             */
            type?: "bank_account" | "mobile_money" | "crypto_wallet" | null;
            /**
             * @description Another name of `type`. `type` is used if both are sent.
             * @enum {string|null}
             */
            destination_type?: "bank_account" | "mobile_money" | "crypto_wallet" | null;
            /** @description The account number or IBAN; null for other types. */
            account_number?: string | null;
            /** @description In NGN a registration gets it from the bank; an update uses it as sent. */
            account_name?: string | null;
            /** @description A code of the bank, a sort code, an ABA or a transit number, or a BIC. */
            bank_code?: string | null;
            /** @description The name of the bank; null for other types. */
            bank_name?: string | null;
            /** @description The payment scheme for USD (`ach`, `wire`) and CAD (`eft`, `wire`). */
            scheme?: string | null;
            /**
             * Format: e164
             * @description The number of the mobile money wallet; null for other types.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The mobile money provider; null for other types. */
            mobile_provider?: string | null;
            /** @description The address of the crypto wallet; null for other types. */
            wallet_address?: string | null;
            /** @description May be left out, as the currency implies it. */
            network?: string | null;
            /** @description Whether the payout schedule of its currency pays to it. */
            is_default?: boolean | null;
            /** @description Your name for the destination. */
            name?: string | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
        };
        DeletedPayoutDestination: {
            /** @description The id of the destination. */
            id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        Banks: {
            /** @description The banks, by name. */
            banks: {
                /** @description The code to send as `bank_code`. */
                code: string;
                /** @description The name of the bank. */
                name: string;
            }[];
        };
        CreatePayout: {
            /**
             * @description The id of the destination.
             * @example pd_…
             */
            destination: string;
            /**
             * @description The amount that arrives, if the balance is in the destination’s currency.
             * @example 150.00
             */
            amount?: string | null;
            /** @description Instead of amount: a quote from USD to its currency. */
            quote_id?: string | null;
            /**
             * Format: currency
             * @description The currency of the balance that pays. By default NGN for an `amount` in NGN, else USD.
             * @example USD
             */
            source_currency?: string | null;
            /** @description Your own reference; null if you gave none. */
            reference?: string | null;
            /** @description A text for your own books; null without one. */
            description?: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description In the sandbox only.
             * @enum {string|null}
             */
            simulated_outcome?: "success" | "failed" | null;
        };
        Payout: {
            /** @description The id of the payout. */
            id: string;
            /**
             * @description The status of the payout.
             * @enum {string}
             */
            status: "requested" | "pending" | "processing" | "approved" | "rejected" | "completed" | "failed";
            /**
             * @description What arrives, in `currency`.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency in which it arrives.
             * @example USD
             */
            currency: string;
            /**
             * @description The currency of the balance that it is taken from.
             * @example USD
             */
            source_currency: string;
            /**
             * @description The fee, in `source_currency`.
             * @example 25.00
             */
            fee: string;
            /**
             * @description What is taken from the balance: amount and fee, in `source_currency`.
             * @example 25.00
             */
            total_debited: string;
            /** @description The id of the destination. */
            destination: string;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /** @description Why it was rejected; null if it was not. */
            status_reason: string | null;
            /** @description Why it failed; null if it did not. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it arrived; null before.
             */
            completed_at: string | null;
            /** @description A text for your own books; null without one. */
            description: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /** @description The conversion quote that set its price; null without one. */
            quote_id: string | null;
            /** @description Why staff review it first; null if they do not. */
            hold_reason: string | null;
            /** @description The id by which its rail knows it; null before. */
            trace_id: string | null;
            /**
             * Format: date-time
             * @description When the bank sent it back; null if it did not.
             */
            returned_at: string | null;
        };
        EstimatePayout: {
            /**
             * @description The id of the destination.
             * @example pd_…
             */
            destination: string;
            /**
             * @description The amount that arrives, if the balance is in the destination’s currency.
             * @example 150.00
             */
            amount?: string | null;
            /** @description Instead of amount: a quote from USD to its currency. */
            quote_id?: string | null;
            /**
             * Format: currency
             * @description The currency of the balance that pays. By default NGN for an `amount` in NGN, else USD.
             * @example USD
             */
            source_currency?: string | null;
        };
        PayoutEstimate: {
            /**
             * @description What would arrive, in `currency`.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency in which it would arrive.
             * @example USD
             */
            currency: string;
            /**
             * @description The currency of the balance that it is taken from.
             * @example USD
             */
            source_currency: string;
            /**
             * @description The fee, in `source_currency`.
             * @example 25.00
             */
            fee: string;
            /**
             * @description What is taken from the balance: amount and fee, in `source_currency`.
             * @example 25.00
             */
            total_debited: string;
            /**
             * Format: date-time
             * @description When it should arrive at the earliest.
             */
            arrives_from: string;
            /**
             * Format: date-time
             * @description When it should arrive at the latest.
             */
            arrives_by: string;
        };
        PayoutPage: {
            /** @description How many items the whole list has. */
            total: number;
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Payout"][];
        };
        SetBalanceSettings: {
            /** @description By the currency of the balance. A currency in it is replaced as a whole, the others stay. */
            schedule_by_currency: {
                [key: string]: {
                    /**
                     * @description How often money is paid out.
                     * @enum {string}
                     */
                    interval: "daily" | "weekly" | "monthly" | "manual";
                    /** @description Needed for `weekly`. */
                    weekly_payout_days?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[] | null;
                    /** @description Needed for `monthly`; clamped to its last day. */
                    monthly_payout_days?: number[] | null;
                    /** @description The hour at which it runs, in UTC. If left out: `0`. */
                    anchor_hour_utc?: number | null;
                    /**
                     * @description Nothing is paid out while less is available.
                     * @example 25.00
                     */
                    minimum_amount?: string | null;
                };
            };
        };
        PayoutSchedule: {
            /**
             * @description The currency of the balance.
             * @example USD
             */
            currency: string;
            /**
             * @description The currency in which it is paid out.
             * @example USD
             */
            payout_currency: string;
            /**
             * @description How often money is paid out.
             * @enum {string}
             */
            interval: "daily" | "weekly" | "monthly" | "manual";
            /** @description The days of a weekly schedule. */
            weekly_payout_days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
            /** @description The days of a monthly schedule, 1 to 31; null for other intervals. */
            monthly_payout_days: number[] | null;
            /** @description The hour at which it runs, in UTC. */
            anchor_hour_utc: number;
            /**
             * @description Nothing is paid out while less is available.
             * @example 25.00
             */
            minimum_amount: string;
            /**
             * Format: date-time
             * @description When it runs next; null if it does not.
             */
            next_run_at: string | null;
            /**
             * Format: date-time
             * @description When it last ran; null if it never has.
             */
            last_run_at: string | null;
            /** @description The last payout that it has made; null if it has made none. */
            last_withdrawal_id: string | null;
            /**
             * @description Why it does not run; null if it does.
             * @enum {string|null}
             */
            disabled_reason: "no_default_destination" | "destination_not_usable" | "consecutive_failures" | "account_restricted" | null;
        };
        BalanceSettings: {
            /** @description The schedule of each balance currency. */
            schedule_by_currency: {
                [key: string]: components["schemas"]["PayoutSchedule"];
            };
        };
        CreateConversionQuote: {
            /**
             * Format: currency
             * @description The currency that is sold.
             * @example USD
             */
            from_currency: string;
            /**
             * Format: currency
             * @description The currency that is bought.
             * @example NGN
             */
            to_currency: string;
            /**
             * @description The amount to sell, the fee included.
             * @example 100.00
             */
            from_amount?: string | null;
            /**
             * @description The amount to buy; instead of from_amount.
             * @example 158400.00
             */
            to_amount?: string | null;
        };
        ConversionQuote: {
            /** @description The id of the conversion quote. */
            quote_id: string;
            /**
             * @description Whether the quote can still be used.
             * @enum {string}
             */
            status: "active" | "used" | "expired";
            /**
             * @description What is sold.
             * @example 25.00
             */
            from_amount: string;
            /**
             * @description The currency that is sold.
             * @example USD
             */
            from_currency: string;
            /**
             * @description What is bought.
             * @example 25.00
             */
            to_amount: string;
            /**
             * @description The currency that is bought.
             * @example USD
             */
            to_currency: string;
            /** @description Units of the bought currency for one of the sold. */
            rate: string;
            /**
             * @description The fee, in the currency that is sold.
             * @example 25.00
             */
            fee: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        CreateConversion: {
            /**
             * @description The id of the conversion quote.
             * @example quo_…
             */
            quote_id: string;
            /** @description Your own reference; null if you gave none. */
            reference?: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description In the sandbox only.
             * @enum {string|null}
             */
            simulated_outcome?: "success" | "failed" | null;
        };
        Conversion: {
            /** @description The id of the conversion. */
            conversion_id: string;
            /**
             * @description The status of the conversion.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The id of the conversion quote. */
            quote_id: string;
            /**
             * @description What is sold.
             * @example 25.00
             */
            from_amount: string;
            /**
             * @description The currency that is sold.
             * @example USD
             */
            from_currency: string;
            /**
             * @description What is bought.
             * @example 25.00
             */
            to_amount: string;
            /**
             * @description The currency that is bought.
             * @example USD
             */
            to_currency: string;
            /** @description Units of the bought currency for one of the sold. */
            rate: string;
            /**
             * @description The fee, in the currency that is sold.
             * @example 25.00
             */
            fee: string;
            /** @description Why it failed; null if it did not. */
            failure_reason: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it reached its final status; null before.
             */
            completed_at: string | null;
        };
        ConversionPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Conversion"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        Balance: {
            /**
             * @description The currency of the balance.
             * @example USD
             */
            currency: string;
            /**
             * @description What can be paid out, converted or transferred now.
             * @example 25.00
             */
            available: string;
            /**
             * @description What has settled and becomes available later.
             * @example 25.00
             */
            pending: string;
            /**
             * @description What is held for something that is under way.
             * @example 25.00
             */
            reserved: string;
            /**
             * @description What you owe. What arrives repays it first.
             * @example 25.00
             */
            owed: string;
        };
        BalancePage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Balance"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        BalanceTransaction: {
            /** @description The id of the transaction. */
            transaction_id: string;
            /**
             * @description What has changed the balance.
             * @enum {string}
             */
            type: "payment" | "refund" | "refund_reversal" | "payout" | "payout_reversal" | "payout_return" | "conversion" | "conversion_reversal" | "dispute" | "dispute_fee" | "dispute_reversal" | "transfer" | "transfer_reversal" | "platform_fee" | "platform_fee_reversal" | "adjustment";
            /**
             * @description By how much the balance has changed. What has left it is negative.
             * @example -25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description Available and pending money after the transaction, less what is owed.
             * @example -25.00
             */
            balance_after: string;
            /** @description The id of the payment, refund, payout or other resource that has caused it. */
            source_id: string;
            /**
             * Format: date-time
             * @description When the money becomes available.
             */
            available_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        BalanceTransactionPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["BalanceTransaction"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        CreateTransfer: {
            /**
             * @description The account that receives it.
             * @example acct_…
             */
            destination: string;
            /**
             * @description How much is transferred.
             * @example 70.00
             */
            amount: string;
            /**
             * Format: currency
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description Your own reference; null if you gave none. */
            reference?: string | null;
            /** @description A text for your own books; null without one. */
            description?: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        Transfer: {
            /** @description The id of the transfer. */
            transfer_id: string;
            /**
             * @description Whether it stands, or has gone back in part or in full.
             * @enum {string}
             */
            status: "succeeded" | "partially_reversed" | "reversed";
            /** @description The account that has sent it. */
            source: string;
            /** @description The account that receives it. */
            destination: string;
            /**
             * @description How much is transferred.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description The sale that has made it; null if it was made by a call. */
            payment_id: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the money becomes available.
             */
            available_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * @description How much of it has gone back.
             * @example 25.00
             */
            reversed_amount: string;
            /** @description A text for your own books; null without one. */
            description: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
        };
        TransferPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Transfer"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        TransferReversal: {
            /** @description The id of this reversal. */
            transfer_reversal_id: string;
            /** @description The id of the transfer. */
            transfer_id: string;
            /**
             * @description How much goes back. If you leave it out: everything that is left.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description The refund that it belongs to; null if a call or a dispute made it. */
            refund_id: string | null;
            /** @description A text for your own books; null without one. */
            description: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was undone: its refund had failed, or its dispute was won. Null if it was not.
             */
            canceled_at: string | null;
        };
        TransferWithReversals: {
            /** @description The id of the transfer. */
            transfer_id: string;
            /**
             * @description Whether it stands, or has gone back in part or in full.
             * @enum {string}
             */
            status: "succeeded" | "partially_reversed" | "reversed";
            /** @description The account that has sent it. */
            source: string;
            /** @description The account that receives it. */
            destination: string;
            /**
             * @description How much is transferred.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description The sale that has made it; null if it was made by a call. */
            payment_id: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the money becomes available.
             */
            available_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * @description How much of it has gone back.
             * @example 25.00
             */
            reversed_amount: string;
            /** @description A text for your own books; null without one. */
            description: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /** @description What has gone back, each time: at most the newest 100. */
            reversals: components["schemas"]["TransferReversal"][];
        };
        CreateTransferReversal: {
            /**
             * @description Left out: everything that is left of it.
             * @example 35.00
             */
            amount?: string | null;
            /** @description A text for your own books; null without one. */
            description?: string | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        PlatformFee: {
            /** @description The id of the platform fee. */
            platform_fee_id: string;
            /**
             * @description Whether it stands, or was refunded in part or in full.
             * @enum {string}
             */
            status: "succeeded" | "partially_refunded" | "refunded";
            /** @description The account that has paid it. */
            account_id: string;
            /**
             * @description How much the platform has earned.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description The sale that has paid it; null if none has. */
            payment_id: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the money becomes available.
             */
            available_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * @description How much of it was refunded.
             * @example 25.00
             */
            refunded_amount: string;
        };
        PlatformFeePage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["PlatformFee"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        PlatformFeeRefund: {
            /** @description The id of this refund of the platform fee. */
            platform_fee_refund_id: string;
            /**
             * @description How much was refunded.
             * @example 25.00
             */
            amount: string;
            /** @description The refund that it belongs to; null if a call or a dispute made it. */
            refund_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was undone: its refund had failed, or its dispute was won. Null if it was not.
             */
            canceled_at: string | null;
        };
        PlatformFeeWithRefunds: {
            /** @description The id of the platform fee. */
            platform_fee_id: string;
            /**
             * @description Whether it stands, or was refunded in part or in full.
             * @enum {string}
             */
            status: "succeeded" | "partially_refunded" | "refunded";
            /** @description The account that has paid it. */
            account_id: string;
            /**
             * @description How much the platform has earned.
             * @example 25.00
             */
            amount: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /** @description The sale that has paid it; null if none has. */
            payment_id: string | null;
            /** @description Your own reference; null if you gave none. */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the money becomes available.
             */
            available_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * @description How much of it was refunded.
             * @example 25.00
             */
            refunded_amount: string;
            /** @description What was refunded, each time: at most the newest 100. */
            refunds: components["schemas"]["PlatformFeeRefund"][];
        };
        RefundPlatformFee: {
            /**
             * @description Left out: everything that is left of it.
             * @example 5.00
             */
            amount?: string | null;
        };
        OwnAccount: {
            /** @description The id of the account. */
            account_id: string;
            /** @description The name of the account. */
            name: string;
            /**
             * @description What happens to money that arrives after its session has ended: it is kept, or refunded.
             * @enum {string}
             */
            late_payment_policy: "accept" | "refund";
            /**
             * @description Who pays the fee of a refund that does not say it: `ORG`, your balance, or `CUSTOMER`.
             * @enum {string}
             */
            refund_fee_bearer: "ORG" | "CUSTOMER";
            /** @description The name that buyers see; by default the name of the account. */
            display_name: string;
            /** @description The address for questions; null if there is none. */
            support_email: string | null;
            /** @description The upload with the logo that pages show; null for none. */
            logo: string | null;
            /**
             * @description A colour, as `#rrggbb`; null if there is none.
             * @example #1a73e8
             */
            accent_color: string | null;
            /**
             * @description A name of the IANA database.
             * @example Africa/Lagos
             */
            timezone: string;
            /**
             * @description Days from each failed charge of a subscription to the next try; after the last one it is canceled.
             * @example [
             *       2,
             *       5,
             *       7,
             *       7
             *     ]
             */
            dunning: number[];
            /** @description The text on the buyer’s card statement; null for our own. */
            statement_text: string | null;
        };
        ChangeOwnAccount: {
            /**
             * @description What happens to money that arrives after its session has ended: it is kept, or refunded.
             * @enum {string|null}
             */
            late_payment_policy?: "accept" | "refund" | null;
            /**
             * @description Who pays the fee of a refund that does not say it: `ORG`, your balance, or `CUSTOMER`.
             * @enum {string|null}
             */
            refund_fee_bearer?: "ORG" | "CUSTOMER" | null;
            /** @description The name that buyers see. */
            display_name?: string | null;
            /**
             * @description The address for questions; null if there is none.
             * @example ada@example.com
             */
            support_email?: string | null;
            /**
             * @description The upload with the logo that pages show; null for none.
             * @example upl_…
             */
            logo?: string | null;
            /**
             * @description A colour, as `#rrggbb`; null if there is none.
             * @example #1a73e8
             */
            accent_color?: string | null;
            /**
             * @description A name of the IANA database.
             * @example Africa/Lagos
             */
            timezone?: string | null;
            /**
             * @description Days from each failed charge of a subscription to the next try; after the last one it is canceled.
             * @example [
             *       2,
             *       5,
             *       7,
             *       7
             *     ]
             */
            dunning?: number[] | null;
            /**
             * @description The text on card statements: 5 to 22 letters, digits, spaces and . , & -, a letter first.
             * @example ACME STORE
             */
            statement_text?: string | null;
        };
        /** @description Fields that are left out keep their values; null clears one. */
        GivenBusinessProfile: {
            /**
             * @description The name that buyers see.
             * @example Example Books
             */
            name?: string | null;
            /**
             * @description What kind of products are sold; null if it is not stated.
             * @enum {string|null}
             */
            product_category?: "software" | "saas" | "digital_downloads" | "games" | "web_hosting" | "ebooks" | "music_and_video" | "news_and_newsletters" | "online_courses" | "tutoring" | "clothing" | "electronics" | "food_and_groceries" | "health_and_beauty" | "home_and_garden" | "general_merchandise" | "consulting" | "design_and_marketing" | "repairs_and_maintenance" | "logistics" | "events_and_tickets" | "restaurants" | "travel_and_accommodation" | "memberships" | "donations" | "utilities_and_bills" | null;
            /** @description What is sold; null if it is not stated. */
            product_description?: string | null;
            /**
             * Format: url
             * @description The address of the website; null if there is none.
             * @example https://example.com/thanks
             */
            website?: string | null;
        };
        /** @description Fields that are left out keep their values; null clears one. */
        GivenCompany: {
            /**
             * @description The registered name.
             * @example Example Books Ltd
             */
            name?: string | null;
            /**
             * @description The number in the register of companies, business names or charities.
             * @example RC123456
             */
            registration_number?: string | null;
            /**
             * @description Stored encrypted, and never shown again.
             * @example 12345678-0001
             */
            tax_id?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The postal address; null if there is none. */
            address?: components["schemas"]["GivenBillingAddress"] | null;
            /** @description Whether everybody who owns 25 % or more is listed among the persons. */
            owners_provided?: boolean | null;
        };
        GivenTermsAcceptance: {
            /** @description Always true: the terms are accepted. */
            accepted: boolean;
            /**
             * @description The address from which they were accepted; by default that of the call.
             * @example 203.0.113.7
             */
            ip?: string | null;
        };
        /** @description At creation, by default what is usual in the country. */
        GivenCapabilities: {
            /** @description Payments by card. */
            card_payments?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
            /** @description Payments by bank transfer. */
            bank_transfer_payments?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
            /** @description Payments by mobile money. */
            mobile_money_payments?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
            /** @description Payments in crypto assets. */
            crypto_payments?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
            /** @description Payouts. */
            payouts?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
            /** @description Virtual accounts. */
            virtual_accounts?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
            /** @description Transfers from and to the platform. */
            transfers?: {
                /** @description Whether the capability is asked for. */
                requested: boolean;
            } | null;
        };
        CreateAccount: {
            /**
             * @description The country, as an ISO 3166-1 alpha-2 code.
             * @enum {string}
             */
            country: "NG" | "GH" | "KE" | "US" | "GB";
            /**
             * @description The form of the business; null if it is not stated.
             * @enum {string|null}
             */
            business_type?: "individual" | "company" | "non_profit" | null;
            /**
             * @description The email address of the account; null if it is not known.
             * @example ada@example.com
             */
            email?: string | null;
            /** @description What buyers learn about the business. */
            business_profile?: components["schemas"]["GivenBusinessProfile"] | null;
            /** @description The business itself. */
            company?: components["schemas"]["GivenCompany"] | null;
            /** @description The acceptance of the terms of service. */
            terms_acceptance?: components["schemas"]["GivenTermsAcceptance"] | null;
            /** @description What the account is to be able to do. */
            capabilities?: components["schemas"]["GivenCapabilities"] | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        Requirements: {
            /** @description The codes of what is to be provided now. */
            currently_due: string[];
            /** @description The codes of what will be due later. */
            eventually_due: string[];
            /** @description The codes of what was not provided by its deadline. */
            past_due: string[];
            /** @description The codes of what is being checked. */
            pending_verification: string[];
            /** @description What was refused, and why. */
            errors: {
                /** @description The code of what is asked for again. */
                code: string;
                /** @description Why it is asked for again, as the account reads it. */
                reason: string;
            }[];
            /**
             * Format: date-time
             * @description Until when the current requirements are to be met; null without a deadline.
             */
            current_deadline: string | null;
            /** @description Why it is not active; null if it is. */
            disabled_reason: string | null;
        };
        Account: {
            /** @description The id of the account. */
            account_id: string;
            /**
             * @description Whether it is a platform, or an account that a platform has connected.
             * @enum {string}
             */
            type: "platform" | "connected";
            /**
             * @description The status of the account.
             * @enum {string}
             */
            status: "onboarding" | "under_review" | "active" | "restricted" | "rejected";
            /** @description Why the account is restricted or rejected; null if it is neither. */
            status_reason: string | null;
            /**
             * @description The country, as an ISO 3166-1 alpha-2 code.
             * @enum {string|null}
             */
            country: "NG" | "GH" | "KE" | "US" | "GB" | null;
            /**
             * @description The form of the business; null if it is not stated.
             * @enum {string|null}
             */
            business_type: "individual" | "company" | "non_profit" | null;
            /** @description The email address of the account; null if it is not known. */
            email: string | null;
            /** @description What buyers learn about the business. */
            business_profile: {
                /** @description The name that buyers see. */
                name: string | null;
                /**
                 * @description What kind of products are sold; null if it is not stated.
                 * @enum {string|null}
                 */
                product_category: "software" | "saas" | "digital_downloads" | "games" | "web_hosting" | "ebooks" | "music_and_video" | "news_and_newsletters" | "online_courses" | "tutoring" | "clothing" | "electronics" | "food_and_groceries" | "health_and_beauty" | "home_and_garden" | "general_merchandise" | "consulting" | "design_and_marketing" | "repairs_and_maintenance" | "logistics" | "events_and_tickets" | "restaurants" | "travel_and_accommodation" | "memberships" | "donations" | "utilities_and_bills" | null;
                /** @description What is sold; null if it is not stated. */
                product_description: string | null;
                /** @description The address of the website; null if there is none. */
                website: string | null;
            };
            /** @description The business itself. */
            company: {
                /** @description The registered name. */
                name: string | null;
                /** @description The number in the register of companies, business names or charities. */
                registration_number: string | null;
                /** @description Whether the tax number was provided. */
                tax_id_provided: boolean;
                /** @description The phone number, in the form of E.164. */
                phone_number: string | null;
                /** @description The postal address; null if there is none. */
                address: {
                    /** @description Street and house number. */
                    line1: string | null;
                    /** @description A second line of the address; null if there is none. */
                    line2: string | null;
                    /** @description The city. */
                    city: string | null;
                    /** @description The state or region; null if there is none. */
                    state: string | null;
                    /** @description The postal code; null if there is none. */
                    postal_code: string | null;
                    /** @description The country, as an ISO 3166-1 alpha-2 code. */
                    country: string | null;
                } | null;
                /** @description Whether all owners are stated. */
                owners_provided: boolean;
            };
            /** @description The persons of the account. */
            persons: {
                /** @description The id of the person. */
                person_id: string;
                /** @description What the person is for the account. */
                roles: ("representative" | "owner" | "director")[];
            }[];
            /**
             * Format: date-time
             * @description When the terms of service were accepted; null before.
             */
            terms_accepted_at: string | null;
            /** @description What the account may do, and whether it may now. */
            capabilities: {
                /**
                 * @description Payments by card.
                 * @enum {string}
                 */
                card_payments: "inactive" | "pending" | "active" | "restricted";
                /**
                 * @description Payments by bank transfer.
                 * @enum {string}
                 */
                bank_transfer_payments: "inactive" | "pending" | "active" | "restricted";
                /**
                 * @description Payments by mobile money.
                 * @enum {string}
                 */
                mobile_money_payments: "inactive" | "pending" | "active" | "restricted";
                /**
                 * @description Payments in crypto assets.
                 * @enum {string}
                 */
                crypto_payments: "inactive" | "pending" | "active" | "restricted";
                /**
                 * @description Payouts.
                 * @enum {string}
                 */
                payouts: "inactive" | "pending" | "active" | "restricted";
                /**
                 * @description Virtual accounts.
                 * @enum {string}
                 */
                virtual_accounts: "inactive" | "pending" | "active" | "restricted";
                /**
                 * @description Transfers from and to the platform.
                 * @enum {string}
                 */
                transfers: "inactive" | "pending" | "active" | "restricted";
            };
            /** @description What still has to be provided. */
            requirements: components["schemas"]["Requirements"];
            /** @description Whether the account may take payments by any method. */
            charges_enabled: boolean;
            /** @description Whether the account may pay out. */
            payouts_enabled: boolean;
            /**
             * @description The currency of the account’s country.
             * @example USD
             */
            default_currency: string;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        AccountPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Account"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangeAccount: {
            /**
             * @description Only while the account has none.
             * @enum {string|null}
             */
            country?: "NG" | "GH" | "KE" | "US" | "GB" | null;
            /**
             * @description The form of the business; null if it is not stated.
             * @enum {string|null}
             */
            business_type?: "individual" | "company" | "non_profit" | null;
            /**
             * @description The email address of the account; null if it is not known.
             * @example ada@example.com
             */
            email?: string | null;
            /** @description What buyers learn about the business. */
            business_profile?: components["schemas"]["GivenBusinessProfile"] | null;
            /** @description The business itself. */
            company?: components["schemas"]["GivenCompany"] | null;
            /** @description The acceptance of the terms of service. */
            terms_acceptance?: components["schemas"]["GivenTermsAcceptance"] | null;
            /** @description What the account is to be able to do. */
            capabilities?: components["schemas"]["GivenCapabilities"] | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
        };
        Capability: {
            /** @description The id of the account. */
            account_id: string;
            /**
             * @description The capability.
             * @enum {string}
             */
            capability: "card_payments" | "bank_transfer_payments" | "mobile_money_payments" | "crypto_payments" | "payouts" | "virtual_accounts" | "transfers";
            /** @description Whether the capability is asked for. */
            requested: boolean;
            /**
             * @description Whether the account has the capability.
             * @enum {string}
             */
            status: "inactive" | "pending" | "active" | "restricted";
            /** @description What still has to be provided. */
            requirements: components["schemas"]["Requirements"];
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        Capabilities: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Capability"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        RequestCapability: {
            /** @description Whether the capability is asked for. */
            requested: boolean;
        };
        CreatePerson: {
            /** @description What the person is for the account. */
            roles: ("representative" | "owner" | "director")[];
            /**
             * @description Of an owner. Two decimals.
             * @example 40
             */
            percent_ownership?: number | null;
            /**
             * @description The first name; null if it is not stated.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The last name; null if it is not stated.
             * @example Obi
             */
            last_name?: string | null;
            /**
             * @description The email address of the person; null if it is not stated.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The postal address; null if there is none. */
            address?: components["schemas"]["GivenBillingAddress"] | null;
            /**
             * @description Stored encrypted, and never shown again.
             * @example 1990-04-12
             */
            date_of_birth?: string | null;
            /**
             * @description Stored encrypted; its last four are shown.
             * @example 22212345678
             */
            id_number?: string | null;
            /**
             * @description An upload with an image of an identity document.
             * @example upl_…
             */
            id_document?: string | null;
        };
        Person: {
            /** @description The id of the person. */
            person_id: string;
            /** @description The id of the account. */
            account_id: string;
            /** @description What the person is for the account. */
            roles: ("representative" | "owner" | "director")[];
            /** @description The share of the business that the person owns, in percent; null if it is not stated. */
            percent_ownership: number | null;
            /** @description The first name; null if it is not stated. */
            first_name: string | null;
            /** @description The last name; null if it is not stated. */
            last_name: string | null;
            /** @description The email address of the person; null if it is not stated. */
            email: string | null;
            /** @description The phone number, in the form of E.164. */
            phone_number: string | null;
            /** @description The postal address; null if there is none. */
            address: {
                /** @description Street and house number. */
                line1: string | null;
                /** @description A second line of the address; null if there is none. */
                line2: string | null;
                /** @description The city. */
                city: string | null;
                /** @description The state or region; null if there is none. */
                state: string | null;
                /** @description The postal code; null if there is none. */
                postal_code: string | null;
                /** @description The country, as an ISO 3166-1 alpha-2 code. */
                country: string | null;
            } | null;
            /** @description Whether the date of birth was provided. */
            date_of_birth_provided: boolean;
            /** @description Whether the number of an identity document was provided. */
            id_number_provided: boolean;
            /** @description The last four characters of that number; null if none was provided. */
            id_number_last_four: string | null;
            /** @description The image of an identity document; null if none was added. */
            id_document: {
                /** @description The id of the document. */
                id: string;
                /** @description The name of the file. */
                file_name: string;
                /**
                 * Format: date-time
                 * @description When it was added.
                 */
                uploaded_at: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        PersonPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Person"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangePerson: {
            /** @description What the person is for the account. */
            roles?: ("representative" | "owner" | "director")[] | null;
            /**
             * @description Of an owner. Two decimals.
             * @example 40
             */
            percent_ownership?: number | null;
            /**
             * @description The first name; null if it is not stated.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The last name; null if it is not stated.
             * @example Obi
             */
            last_name?: string | null;
            /**
             * @description The email address of the person; null if it is not stated.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * Format: e164
             * @description The phone number, in the form of E.164.
             * @example +2348012345678
             */
            phone_number?: string | null;
            /** @description The postal address; null if there is none. */
            address?: components["schemas"]["GivenBillingAddress"] | null;
            /**
             * @description Stored encrypted, and never shown again.
             * @example 1990-04-12
             */
            date_of_birth?: string | null;
            /**
             * @description Stored encrypted; its last four are shown.
             * @example 22212345678
             */
            id_number?: string | null;
            /**
             * @description An upload with an image of an identity document.
             * @example upl_…
             */
            id_document?: string | null;
        };
        DeletedPerson: {
            /** @description The id of the person. */
            person_id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        AddCompanyDocument: {
            /**
             * @description An upload that nothing uses, or that is private already.
             * @example upl_…
             */
            file: string;
            /**
             * @description The slot. Which ones an account has depends on its country and its type.
             * @enum {string}
             */
            document: "company.certificate_of_incorporation" | "company.business_name_certificate" | "company.registration_of_charity" | "company.memorandum" | "company.proof_of_address" | "company.tax_certificate" | "company.bank_statement";
        };
        CompanyDocument: {
            /** @description The id of the document. */
            id: string;
            /** @description The slot that the document is in. */
            document_type: string;
            /** @description The name of the file. */
            file_name: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            uploaded_at: string;
        };
        ListedCompanyDocument: {
            /** @description The id of the document. */
            id: string;
            /** @description The slot that the document is in. */
            document_type: string;
            /** @description The name of the file. */
            file_name: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            uploaded_at: string;
            /** @description The person whose document it is; null for a document of the account. */
            person_id: string | null;
            /** @description Opens the document for five minutes. */
            url: string;
            /**
             * Format: date-time
             * @description When the link to the file ends.
             */
            url_expires_at: string;
        };
        ListedCompanyDocumentPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["ListedCompanyDocument"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        CreateOnboardingLink: {
            /**
             * Format: url
             * @description Where the page sends the seller once they are done.
             * @example https://example.com/thanks
             */
            return_url: string;
            /**
             * Format: url
             * @description Where the seller gets a new link once this one has expired.
             * @example https://example.com/thanks
             */
            refresh_url: string;
        };
        OnboardingLink: {
            /** @description The id of the account. */
            account_id: string;
            /** @description The hosted page, with its token. Send the seller there. */
            url: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        Onboarding: {
            /** @description The id of the account. */
            account_id: string;
            /**
             * @description The environment: `sandbox`, in which no money moves, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description The platform of the account; null if it has none. */
            platform: {
                /** @description The name of the platform. */
                name: string;
                /** @description A colour, as `#rrggbb`; null if there is none. */
                accent_color: string | null;
                /** @description The address of the logo; null if there is none. */
                logo_url: string | null;
            } | null;
            /** @description The slots of documents that the account has. */
            document_slots: string[];
            /** @description The newest document of each slot of the account. A link to its file is in no answer to the token. */
            documents: components["schemas"]["CompanyDocument"][];
            /** @description Where the page sends the seller once they are done. */
            return_url: string;
            /** @description Where the seller gets a new link once this one has expired. */
            refresh_url: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        EndedOnboarding: {
            /** @description The id of the account. */
            account_id: string;
            /** @description Always true. */
            ended: boolean;
            /** @description Where the page sends the seller once they are done. */
            return_url: string;
        };
        EndedOnboardingToken: {
            /** @description The token of a link that has ended. */
            token: string;
        };
        RefreshUrl: {
            /** @description Where the seller gets a new link once this one has expired. */
            refresh_url: string;
        };
        CreateVirtualAccount: {
            /**
             * @description The customer whose account it is to be. Without one it is your own.
             * @example cust_…
             */
            customer_id?: string | null;
            /**
             * Format: currency
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example NGN
             */
            currency: string;
            /**
             * @description The name that senders see: in live a first and a last name. Without one, that of the customer or of your account.
             * @example Ada Buyer
             */
            account_name?: string | null;
            /**
             * Format: e164
             * @description The phone number of the holder, which the bank asks for in live. Without one, that of the customer.
             * @example +2348012345678
             */
            phone_number?: string | null;
        };
        VirtualAccount: {
            /** @description The id of the virtual account. */
            virtual_account_id: string;
            /**
             * @description The account number.
             * @example 0000014579
             */
            account_number: string;
            /** @description The name of the account’s holder. */
            account_name: string;
            /** @description The name of the bank. */
            bank_name: string;
            /** @description The code of the bank: which one, depends on the country. */
            bank_code: string;
            /**
             * @description The currency of the amounts, as an ISO 4217 code.
             * @example USD
             */
            currency: string;
            /**
             * @description The status of the virtual account.
             * @enum {string}
             */
            status: "active";
            /** @description The customer whose account it is; null for your own. */
            customer_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        VirtualAccountPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["VirtualAccount"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ConfigureWebhook: {
            /**
             * @description The address that events are sent to; null switches delivery off.
             * @example https://example.com/webhooks
             */
            webhook_url: string | null;
            /** @description The secret that signs the deliveries. Left out: the stored one stays. */
            webhook_secret?: string | null;
        };
        SavedWebhookConfiguration: {
            /** @description Whether it was done. */
            success: boolean;
            /** @description The address that events are sent to; null switches delivery off. */
            webhook_url: string | null;
            /** @description Whether deliveries are signed. */
            has_secret: boolean;
            /** @description Whether it is in use. */
            is_active: boolean;
            /** @description What happened, for people. Do not branch on it. */
            message: string;
        };
        WebhookConfiguration: {
            /** @description Whether it was done. */
            success: boolean;
            /** @description The address that events are sent to; null switches delivery off. */
            webhook_url: string | null;
            /** @description Whether deliveries are signed. */
            has_secret: boolean;
            /** @description Whether it is in use. */
            is_active: boolean;
        };
        TestWebhook: {
            /** @description Whether it was done. */
            success: boolean;
            /** @description What happened, for people. Do not branch on it. */
            message: string;
        };
        CreateWebhookEndpoint: {
            /**
             * @description The address that events are sent to: public HTTPS.
             * @example https://example.com/webhooks
             */
            url: string;
            /** @description Your own text; null without one. */
            description?: string | null;
            /** @description With `*`, the default, it receives every type, also types that are added later. */
            events?: ("*" | "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated")[] | null;
            /**
             * @description Default `own`.
             * @enum {string|null}
             */
            account_scope?: "own" | "connected" | "all" | null;
            /** @description Default true. */
            enabled?: boolean | null;
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Left out: a new one is generated. */
            secret?: string | null;
        };
        CreatedWebhookEndpoint: {
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /** @description Null only for the single-URL configuration while it is switched off. */
            url: string | null;
            /** @description Your own text; null without one. */
            description: string | null;
            /** @description Event types, or `*` alone for all of them. */
            events: string[];
            /**
             * @description Whose events it receives: your own, those of connected accounts, or both.
             * @enum {string}
             */
            account_scope: "own" | "connected" | "all";
            /** @description Whether it is the one that the single-URL configuration sets. */
            is_configuration: boolean;
            /** @description Whether deliveries are signed. */
            has_secret: boolean;
            /** @description Whether events are sent to it. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was switched off; null if it is on.
             */
            disabled_at: string | null;
            /**
             * @description Why it was switched off by us; null if it was not.
             * @enum {string|null}
             */
            disabled_reason: "consecutive_failures" | null;
            /**
             * Format: date-time
             * @description Since when every delivery fails; null if that is not so.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When we warned you by mail that it fails; null if we did not.
             */
            warned_at: string | null;
            /**
             * Format: date-time
             * @description From when to recover what it has missed: no earlier event is missed. Null if none is.
             */
            missed_since: string | null;
            /** @description The deliveries of the last 24 hours, by status. */
            stats_24h: {
                /** @description How many wait for their next attempt. */
                pending: number;
                /** @description How many were accepted. */
                succeeded: number;
                /** @description How many failed after their last attempt. */
                failed: number;
                /** @description How many were not sent, as the endpoint was off or gone. */
                skipped: number;
            };
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Signs its deliveries. No other answer about the endpoint shows it. */
            secret: string;
        };
        WebhookEndpoint: {
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /** @description Null only for the single-URL configuration while it is switched off. */
            url: string | null;
            /** @description Your own text; null without one. */
            description: string | null;
            /** @description Event types, or `*` alone for all of them. */
            events: string[];
            /**
             * @description Whose events it receives: your own, those of connected accounts, or both.
             * @enum {string}
             */
            account_scope: "own" | "connected" | "all";
            /** @description Whether it is the one that the single-URL configuration sets. */
            is_configuration: boolean;
            /** @description Whether deliveries are signed. */
            has_secret: boolean;
            /** @description Whether events are sent to it. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was switched off; null if it is on.
             */
            disabled_at: string | null;
            /**
             * @description Why it was switched off by us; null if it was not.
             * @enum {string|null}
             */
            disabled_reason: "consecutive_failures" | null;
            /**
             * Format: date-time
             * @description Since when every delivery fails; null if that is not so.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When we warned you by mail that it fails; null if we did not.
             */
            warned_at: string | null;
            /**
             * Format: date-time
             * @description From when to recover what it has missed: no earlier event is missed. Null if none is.
             */
            missed_since: string | null;
            /** @description The deliveries of the last 24 hours, by status. */
            stats_24h: {
                /** @description How many wait for their next attempt. */
                pending: number;
                /** @description How many were accepted. */
                succeeded: number;
                /** @description How many failed after their last attempt. */
                failed: number;
                /** @description How many were not sent, as the endpoint was off or gone. */
                skipped: number;
            };
            /** @description Your own keys and values. They change nothing that the service does. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        WebhookEndpointPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["WebhookEndpoint"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangeWebhookEndpoint: {
            /**
             * @description The address that events are sent to: public HTTPS.
             * @example https://example.com/webhooks
             */
            url?: string | null;
            /** @description Your own text; null without one. */
            description?: string | null;
            /** @description With `*`, the default, it receives every type, also types that are added later. */
            events?: ("*" | "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated")[] | null;
            /**
             * @description Default `own`.
             * @enum {string|null}
             */
            account_scope?: "own" | "connected" | "all" | null;
            /** @description Default true. */
            enabled?: boolean | null;
            /** @description Merged: an empty value removes its key; empty text instead of the object removes all keys. */
            metadata?: {
                [key: string]: string;
            } | string | null;
        };
        DeletedWebhookEndpoint: {
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        WebhookSecret: {
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /** @description The secret; null if none is set. */
            secret: string | null;
            /** @description The former secret, while it signs too. */
            previous_secret: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs too; null without one.
             */
            previous_secret_expires_at: string | null;
        };
        RotateWebhookSecret: {
            /** @description For how many hours the previous secret signs too. If left out: `24`. */
            grace_hours?: number | null;
            /** @description Left out: a new one is generated. */
            secret?: string | null;
        };
        TestWebhookEndpoint: {
            /**
             * @description The type of the test event. If left out: `collection.succeeded`.
             * @enum {string|null}
             */
            type?: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated" | null;
        };
        WebhookDelivery: {
            /** @description The id of the webhook delivery. */
            delivery_id: string;
            /** @description Of a test event always `evt_test_webhook`. */
            event_id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event_type: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /**
             * @description The status of the delivery.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "skipped";
            /**
             * @description Why it is sent: the event itself, a resend, a recovery or a test.
             * @enum {string}
             */
            trigger: "automatic" | "manual" | "recovery" | "test";
            /**
             * Format: date-time
             * @description When the next attempt is made; null if none is.
             */
            next_attempt_at: string | null;
            /** @description The attempts, in order. */
            attempts: {
                /** @description The number of the attempt, from 1. */
                number: number;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                at: string;
                /** @description The HTTP status of the receiver’s answer; null without an answer. */
                response_status: number | null;
                /** @description The first 2 KB of the receiver’s answer; null without one, or if it was compressed. */
                response_body: string | null;
                /** @description How long it took, in milliseconds. */
                duration_ms: number;
                /** @description Why the attempt failed; null if it was delivered. */
                error: string | null;
            }[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it reached its final status; null before.
             */
            completed_at: string | null;
        };
        TestedWebhookEndpoint: {
            /**
             * @description The id of the event.
             * @constant
             */
            event_id: "evt_test_webhook";
            /** @description The delivery of the test event. */
            delivery: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveryPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["WebhookDelivery"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        WebhookDeliveryWithBody: {
            /** @description The id of the webhook delivery. */
            delivery_id: string;
            /** @description Of a test event always `evt_test_webhook`. */
            event_id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event_type: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /**
             * @description The status of the delivery.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "skipped";
            /**
             * @description Why it is sent: the event itself, a resend, a recovery or a test.
             * @enum {string}
             */
            trigger: "automatic" | "manual" | "recovery" | "test";
            /**
             * Format: date-time
             * @description When the next attempt is made; null if none is.
             */
            next_attempt_at: string | null;
            /** @description The attempts, in order. */
            attempts: {
                /** @description The number of the attempt, from 1. */
                number: number;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                at: string;
                /** @description The HTTP status of the receiver’s answer; null without an answer. */
                response_status: number | null;
                /** @description The first 2 KB of the receiver’s answer; null without one, or if it was compressed. */
                response_body: string | null;
                /** @description How long it took, in milliseconds. */
                duration_ms: number;
                /** @description Why the attempt failed; null if it was delivered. */
                error: string | null;
            }[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it reached its final status; null before.
             */
            completed_at: string | null;
            /** @description The body of each attempt, byte for byte; null once its event is no longer kept. */
            request_body: string | null;
        };
        RecoverWebhookEndpoint: {
            /**
             * Format: date-time
             * @description The beginning of the time whose events are sent again.
             * @example 2026-01-31T00:00:00Z
             */
            since: string;
            /**
             * Format: date-time
             * @description Exclusive. Left out or in the future: now.
             * @example 2026-01-31T00:00:00Z
             */
            until?: string | null;
        };
        WebhookRecovery: {
            /** @description The id of the recovery. */
            recovery_id: string;
            /** @description The id of the webhook endpoint. */
            endpoint_id: string;
            /**
             * Format: date-time
             * @description The beginning of the time whose events are sent again.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the time whose events are sent again.
             */
            until: string;
            /**
             * @description Whether it still runs.
             * @enum {string}
             */
            status: "running" | "completed";
            /** @description The number of deliveries it has begun so far. */
            sent_count: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it reached its final status; null before.
             */
            completed_at: string | null;
        };
        WebhookEvent: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /** @description The payload of this type. */
            data: {
                [key: string]: unknown;
            };
            /** @description The id of the resource that the event is about. */
            resource_id: string;
            /** @description The value of `X-Service-Sequence`. */
            sequence: number;
        };
        WebhookEventPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["WebhookEvent"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        WebhookEventWithDeliveries: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /** @description The payload of this type. */
            data: {
                [key: string]: unknown;
            };
            /** @description The id of the resource that the event is about. */
            resource_id: string;
            /** @description The value of `X-Service-Sequence`. */
            sequence: number;
            /** @description The deliveries of the event, at most its newest 100. */
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        ResendWebhookEvent: {
            /**
             * @description Sent to this one whatever its filter. Left out: to all enabled ones whose filter includes it.
             * @example we_…
             */
            endpoint_id?: string | null;
        };
        ResentWebhookEvent: {
            /** @description The id of the event. */
            event_id: string;
            /** @description The deliveries that this call has made. */
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        /** @description Server-sent events, one like this after another. A line that begins with `:` is a comment: one comes every 15 seconds if nothing else does, with the `id` up to which you have all events. The last comment says why the stream ends. */
        EventStream: {
            /** @description The sequence number of the event. */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
            /** @description The event as the list gives it. */
            data: string;
        };
        CreateApiKey: {
            /** @description Your name for the key. */
            key_name: string;
            /** @description The key does not expire if this is left out. */
            expires_in_days?: number | null;
            /** @description Same as the header Idempotency-Key. The header is used if both are sent. */
            idempotency_key?: string | null;
            /**
             * @description Any key is a test key until payments are enabled. If left out: `test`.
             * @enum {string|null}
             */
            env?: "live" | "test" | null;
            /**
             * @description What the key may do.
             * @example [
             *       "payments:read"
             *     ]
             */
            scopes?: ("payments:read" | "payments:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "products:read" | "products:write" | "subscriptions:read" | "subscriptions:write" | "invoices:read" | "invoices:write" | "disputes:read" | "disputes:write" | "payouts:read" | "payouts:write" | "balances:read" | "conversions:read" | "conversions:write" | "virtual_accounts:read" | "virtual_accounts:write" | "accounts:read" | "accounts:write" | "transfers:read" | "transfers:write" | "platform_fees:read" | "platform_fees:write" | "customer_sessions:write" | "webhooks:read" | "webhooks:write" | "test_helpers:write")[] | null;
        };
        CreatedApiKey: {
            /** @description The id of the API key. */
            api_key_id: string;
            /** @description Your name for the key. */
            key_name: string;
            /** @description The last characters of the key, to tell keys apart. */
            last_four: string;
            /** @description What the key may do. */
            scopes: ("payments:read" | "payments:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "products:read" | "products:write" | "subscriptions:read" | "subscriptions:write" | "invoices:read" | "invoices:write" | "disputes:read" | "disputes:write" | "payouts:read" | "payouts:write" | "balances:read" | "conversions:read" | "conversions:write" | "virtual_accounts:read" | "virtual_accounts:write" | "accounts:read" | "accounts:write" | "transfers:read" | "transfers:write" | "platform_fees:read" | "platform_fees:write" | "customer_sessions:write" | "webhooks:read" | "webhooks:write" | "test_helpers:write")[];
            /** @description The whole key. It is shown only once, here. */
            key: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key expires; null if it does not.
             */
            expires_at: string | null;
        };
        ApiKey: {
            /** @description The id of the API key. */
            api_key_id: string;
            /** @description Your name for the key. */
            key_name: string;
            /** @description The last characters of the key, to tell keys apart. */
            last_four: string;
            /** @description What the key may do. */
            scopes: ("payments:read" | "payments:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "products:read" | "products:write" | "subscriptions:read" | "subscriptions:write" | "invoices:read" | "invoices:write" | "disputes:read" | "disputes:write" | "payouts:read" | "payouts:write" | "balances:read" | "conversions:read" | "conversions:write" | "virtual_accounts:read" | "virtual_accounts:write" | "accounts:read" | "accounts:write" | "transfers:read" | "transfers:write" | "platform_fees:read" | "platform_fees:write" | "customer_sessions:write" | "webhooks:read" | "webhooks:write" | "test_helpers:write")[];
            /** @description Whether the key is accepted. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used; null if it never was.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key expires; null if it does not.
             */
            expires_at: string | null;
        };
        ApiKeys: {
            /** @description The keys, newest first. */
            keys: components["schemas"]["ApiKey"][];
        };
        RevokedApiKey: {
            /**
             * @description The status of the key.
             * @enum {string}
             */
            status: "revoked";
            /** @description The id of the API key. */
            api_key_id: string;
        };
        ChangeApiKey: {
            /**
             * @description What the key may do.
             * @example [
             *       "payments:read"
             *     ]
             */
            scopes: ("payments:read" | "payments:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "products:read" | "products:write" | "subscriptions:read" | "subscriptions:write" | "invoices:read" | "invoices:write" | "disputes:read" | "disputes:write" | "payouts:read" | "payouts:write" | "balances:read" | "conversions:read" | "conversions:write" | "virtual_accounts:read" | "virtual_accounts:write" | "accounts:read" | "accounts:write" | "transfers:read" | "transfers:write" | "platform_fees:read" | "platform_fees:write" | "customer_sessions:write" | "webhooks:read" | "webhooks:write" | "test_helpers:write")[];
        };
        LoginToken: {
            /** @description The token to send with email and password. */
            token: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        SendPassword: {
            /**
             * @description The email address.
             * @example ada@example.com
             */
            email: string;
            /** @description The password. */
            password: string;
            /** @description The token that began the login. */
            login_token: string;
        };
        LoginUser: {
            /** @description The id of the person. */
            id: string;
            /** @description The email address. */
            email: string;
            /** @description The name of the person. */
            full_name: string;
            /** @description Whether the person has finished the introduction. */
            hasOnboarded: boolean;
        };
        LoginChallenge: {
            /** @description The id of the challenge. */
            challenge_id: string;
            /**
             * @description Where the code is from: an authenticator app, or a mail.
             * @enum {string}
             */
            method: "totp" | "email_otp";
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /** @description Whether a backup code is accepted too. */
            backup_code_allowed: boolean;
            /** @description The person. */
            user: components["schemas"]["LoginUser"];
        };
        VerifyLogin: {
            /**
             * @description The id of the challenge.
             * @example chal_…
             */
            challenge_id: string;
            /**
             * @description The code, or a backup code.
             * @example 123456
             */
            code: string;
            /**
             * @description Whether `code` is of the second factor (`primary`) or a backup code (`backup`).
             * @enum {string}
             */
            code_type: "primary" | "backup";
        };
        LoggedIn: {
            /** @description The access token, for 15 minutes. */
            access_token: string;
            /** @description The refresh token, for 30 days. It is used once. */
            refresh_token: string;
            /** @description The person. */
            user: components["schemas"]["LoginUser"];
        };
        ResendCode: {
            /**
             * @description The id of the challenge.
             * @example chal_…
             */
            challenge_id: string;
        };
        ResentChallenge: {
            /** @description The id of the challenge. */
            challenge_id: string;
            /**
             * @description Where the code is from: an authenticator app, or a mail.
             * @enum {string}
             */
            method: "totp" | "email_otp";
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
        };
        RefreshTokens: {
            /** @description The refresh token, for 30 days. It is used once. */
            refresh_token: string;
        };
        Tokens: {
            /** @description The access token, for 15 minutes. */
            access_token: string;
            /** @description The refresh token, for 30 days. It is used once. */
            refresh_token: string;
        };
        LogOut: {
            /** @description The refresh token, for 30 days. It is used once. */
            refresh_token?: string | null;
            /** @description Whether to log out everywhere. If left out: `false`. */
            logout_all_devices?: boolean | null;
        };
        LoggedOut: {
            /** @description Whether it was done. */
            success: boolean;
            /** @description What happened, for people. Do not branch on it. */
            message: string;
        };
        ClockAhead: {
            /** @description The id of the test clock. */
            clock_id: string;
            /** @description Your name for the clock. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             */
            frozen_time: string;
        };
        SignedIn: {
            /** @description The person. */
            user: components["schemas"]["LoginUser"];
            /**
             * @description The role of the person.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer" | "reviewer";
            /** @description What the role gives. */
            scopes: ("payments:read" | "payments:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "products:read" | "products:write" | "subscriptions:read" | "subscriptions:write" | "invoices:read" | "invoices:write" | "disputes:read" | "disputes:write" | "payouts:read" | "payouts:write" | "balances:read" | "conversions:read" | "conversions:write" | "virtual_accounts:read" | "virtual_accounts:write" | "accounts:read" | "accounts:write" | "transfers:read" | "transfers:write" | "platform_fees:read" | "platform_fees:write" | "customer_sessions:write" | "webhooks:read" | "webhooks:write" | "test_helpers:write")[];
            /** @description The id of the person’s organization; null for staff. */
            account_id: string | null;
            /**
             * @description The environment: `sandbox`, in which no money moves, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description The environments that `X-Environment` may name: `live` once the organization is activated. */
            environments: ("sandbox" | "live")[];
            /** @description In test mode, the test clock of the organization that is furthest ahead of the real time. */
            clock_ahead: components["schemas"]["ClockAhead"] | null;
        };
        LoginSession: {
            /** @description The id of the session, which one login has begun. */
            session_id: string;
            /** @description Whether the call is made with this session. */
            is_current: boolean;
            /** @description The IP address of the login. */
            address: string | null;
            /**
             * Format: date-time
             * @description When the person signed in.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its tokens were last renewed; the first time is the login.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it ends, unless its tokens are renewed before.
             */
            expires_at: string | null;
        };
        LoginSessions: {
            /** @description The sessions, newest first. */
            sessions: components["schemas"]["LoginSession"][];
        };
        EndedLoginSession: {
            /** @description The id of the session. */
            session_id: string;
            /**
             * @description The status of the session.
             * @enum {string}
             */
            status: "ended";
            /** @description Always true. */
            deleted: boolean;
        };
        SecondFactor: {
            /**
             * @description Where the code is from: an authenticator app, or a mail.
             * @enum {string}
             */
            method: "totp" | "email_otp";
            /** @description How many backup codes have not been used yet. */
            backup_codes_left: number;
            /**
             * Format: date-time
             * @description Until when this session may confirm a new authenticator app; null if none is waiting.
             */
            pending_until: string | null;
        };
        MailedCode: {
            /**
             * @description Where the code is from: an authenticator app, or a mail.
             * @enum {string}
             */
            method: "totp" | "email_otp";
            /**
             * Format: date-time
             * @description Until when the code works.
             */
            expires_at: string;
        };
        ChangePassword: {
            /** @description The password until now. */
            current_password: string;
            /** @description The password from now on, of at least 8 characters. */
            new_password: string;
            /**
             * @description A code of the second factor, or a backup code.
             * @example 123456
             */
            code: string;
            /**
             * @description Whether `code` is of the second factor (`primary`) or a backup code (`backup`). If left out: `primary`.
             * @enum {string|null}
             */
            code_type?: "primary" | "backup" | null;
        };
        ChangedPassword: {
            /**
             * @description What has become of the password.
             * @enum {string}
             */
            status: "changed";
        };
        PasswordAndCode: {
            /** @description The password. */
            password: string;
            /**
             * @description A code of the second factor.
             * @example 123456
             */
            code: string;
        };
        BackupCodes: {
            /** @description The backup codes. Each works once. */
            backup_codes: string[];
        };
        BothFactors: {
            /** @description The password. */
            password: string;
            /**
             * @description A code of the second factor, or a backup code.
             * @example 123456
             */
            code: string;
            /**
             * @description Whether `code` is of the second factor (`primary`) or a backup code (`backup`). If left out: `primary`.
             * @enum {string|null}
             */
            code_type?: "primary" | "backup" | null;
        };
        NewAuthenticator: {
            /** @description The secret, in base 32, to type into an authenticator app. */
            secret: string;
            /** @description The address that an authenticator app reads from a QR code. */
            otpauth_uri: string;
            /**
             * Format: date-time
             * @description Until when the new app can be confirmed.
             */
            expires_at: string;
        };
        ConfirmAuthenticator: {
            /**
             * @description A code of the new authenticator app.
             * @example 123456
             */
            code: string;
        };
        ReplacedAuthenticator: {
            /**
             * @description What has become of the authenticator app.
             * @enum {string}
             */
            status: "replaced";
            /**
             * @description Where the code is from: an authenticator app, or a mail.
             * @enum {string}
             */
            method: "totp" | "email_otp";
        };
        TeamMember: {
            /** @description The id of the person. */
            user_id: string;
            /** @description The name of the person. */
            full_name: string;
            /** @description The email address. */
            email: string;
            /**
             * @description The role of the person.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer" | "reviewer";
            /**
             * @description Where the code is from: an authenticator app, or a mail.
             * @enum {string}
             */
            method: "totp" | "email_otp";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        TeamMemberPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["TeamMember"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ChangeTeamMember: {
            /**
             * @description The role of the person.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer";
        };
        RemovedTeamMember: {
            /** @description The id of the person. */
            user_id: string;
            /**
             * @description The status of the person.
             * @enum {string}
             */
            status: "removed";
            /** @description Always true. */
            deleted: boolean;
        };
        CreateTeamInvitation: {
            /**
             * @description The address that was invited.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The role that the person will have.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer";
            /** @description What you call the person. They can change it. */
            name?: string | null;
        };
        TeamInvitation: {
            /** @description The id of the invitation. */
            invitation_id: string;
            /** @description The address that was invited. */
            email: string;
            /**
             * @description The role that the person will have.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer" | "reviewer";
            /** @description What the person is called; null if nobody has said it. */
            name: string | null;
            /**
             * @description How it stands. `expired`: its link works no longer; `replaced`: by a newer invitation.
             * @enum {string}
             */
            status: "pending" | "expired" | "accepted" | "revoked" | "replaced";
            /** @description The id of the person who has sent it last; null if whoever runs the service has. */
            invited_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its newest mail was sent.
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description When its link stops working.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was accepted, revoked or replaced; null before.
             */
            ended_at: string | null;
        };
        TeamInvitationPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["TeamInvitation"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        OpenedInvitation: {
            /** @description The id of the invitation. */
            invitation_id: string;
            /** @description The organization that invites; null for the platform’s own staff. */
            organization_name: string | null;
            /**
             * @description The role of the person.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer" | "reviewer";
            /** @description The address that was invited, masked. */
            email: string;
            /** @description What the inviter calls the person; null if they have not said it. */
            name: string | null;
            /**
             * Format: date-time
             * @description When the link stops working.
             */
            expires_at: string;
        };
        AcceptInvitation: {
            /** @description The name of the person. */
            full_name: string;
            /** @description The password. */
            password: string;
        };
        InvitationAuthenticator: {
            /** @description The secret in base 32, for whoever types it into an authenticator app. */
            secret: string;
            /** @description The same for an app that scans it: show it as a QR code. */
            otpauth_uri: string;
        };
        ConfirmInvitation: {
            /**
             * @description The six-digit code that the authenticator app shows now.
             * @example 123456
             */
            code: string;
        };
        JoinedTeam: {
            /** @description The person. */
            user: components["schemas"]["LoginUser"];
            /**
             * @description The role of the person.
             * @enum {string}
             */
            role: "owner" | "admin" | "developer" | "viewer" | "reviewer";
            /** @description Each replaces the second factor once. */
            backup_codes: string[];
        };
        AgendaItem: {
            /**
             * @description The kind of resource.
             * @enum {string}
             */
            resource: "checkout_session" | "payment" | "refund" | "payout" | "payout_destination" | "conversion" | "account" | "payout_schedule" | "webhook_delivery" | "webhook_endpoint" | "subscription" | "dispute";
            /** @description The id of the resource. */
            resource_id: string;
            /**
             * @description What it waits for.
             * @enum {string}
             */
            waiting_on: "buyer" | "rail" | "late_money" | "reviewer" | "receiver" | "next_run" | "maturity" | "operator" | "next_period" | "merchant" | "information";
            /**
             * @description What happens at `wakes_at`, if nothing ends the wait before.
             * @enum {string}
             */
            reason: "expiry" | "late_money_end" | "rail_poll" | "rail_cancellation" | "automatic_decision" | "review_reminder" | "review_escalation" | "schedule_run" | "webhook_attempt" | "endpoint_warning" | "endpoint_switch_off" | "maturity" | "release" | "requirements_due" | "deadline_warning" | "deadline" | "trial_reminder" | "dunning_end" | "period_end" | "resumption" | "invoice_opening" | "payment_attempt" | "charge" | "evidence_due_soon" | "evidence_deadline" | "warning_end" | "network_notice";
            /**
             * Format: date-time
             * @description Since when it waits.
             */
            waiting_since: string;
            /**
             * Format: date-time
             * @description When something happens if nothing ends the wait before; null if nothing does.
             */
            wakes_at: string | null;
            /**
             * Format: date-time
             * @description Until when the wait should be over; null if nobody promises it.
             */
            expected_by: string | null;
        };
        CursorPagination: {
            /** @description The `cursor` of the following page; null on the last one. */
            next_cursor: string | null;
            /** @description The `cursor` of the page before; null on the first one. */
            prev_cursor: string | null;
            /** @description Whether a page follows. */
            has_more: boolean;
            /** @description How many items a page has at most. */
            limit: number;
            /** @description How many items this page has. */
            returned: number;
        };
        AgendaPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["AgendaItem"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["CursorPagination"];
            /**
             * @deprecated
             * @description The `cursor` of the following page; null on the last one.
             */
            next_cursor: string | null;
            /**
             * @deprecated
             * @description Whether a page follows.
             */
            has_more: boolean;
        };
        Agenda: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["AgendaItem"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        TimelineItem: {
            /** @description The resource itself, or what belongs to it: its payments, invoices, disputes. */
            resource_id: string;
            /**
             * @description The status that the resource took, or `attempt`.
             * @example processing
             */
            step: string;
            /**
             * @description Whether the step is done, runs, has failed or was skipped.
             * @enum {string}
             */
            status: "done" | "running" | "failed" | "skipped";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * Format: date-time
             * @description When the step ended; null before.
             */
            ended_at: string | null;
            /** @description How often the rail or the receiver was asked in this step. */
            attempts: number;
            /**
             * @description Why the step has failed, as a code.
             * @example card_declined
             */
            last_error: string | null;
            /**
             * @description Who did it.
             * @enum {string}
             */
            actor: "merchant" | "buyer" | "rail" | "system" | "reviewer" | "operator";
            /** @description More about the step, which differs by its kind. */
            details: {
                [key: string]: string | number | null;
            };
            /** @description The ids of the ledger transactions that were posted for this. */
            ledger_transaction_ids: string[];
            /** @description The ids of the events that report this. */
            event_ids: string[];
        };
        Timeline: {
            /**
             * @description The kind of resource.
             * @enum {string}
             */
            resource: "checkout_session" | "payment" | "refund" | "payout" | "payout_destination" | "conversion" | "account" | "payout_schedule" | "webhook_delivery" | "webhook_endpoint" | "subscription" | "dispute" | "invoice";
            /** @description The id of the resource. */
            resource_id: string;
            /** @description The status of the resource. */
            status: string;
            /**
             * Format: date-time
             * @description The time by which the resource lives: that of its test clock, or else of this answer.
             */
            as_of: string;
            /**
             * @description What it waits for; null if nothing.
             * @enum {string|null}
             */
            waiting_on: "buyer" | "rail" | "late_money" | "reviewer" | "receiver" | "next_run" | "maturity" | "operator" | "next_period" | "merchant" | "information" | null;
            /**
             * Format: date-time
             * @description Since when it waits; null if it does not.
             */
            waiting_since: string | null;
            /**
             * Format: date-time
             * @description When something happens if nothing ends the wait before; null if nothing does.
             */
            wakes_at: string | null;
            /**
             * @description What happens at `wakes_at`, if nothing ends the wait before.
             * @enum {string|null}
             */
            wake_reason: "expiry" | "late_money_end" | "rail_poll" | "rail_cancellation" | "automatic_decision" | "review_reminder" | "review_escalation" | "schedule_run" | "webhook_attempt" | "endpoint_warning" | "endpoint_switch_off" | "maturity" | "release" | "requirements_due" | "deadline_warning" | "deadline" | "trial_reminder" | "dunning_end" | "period_end" | "resumption" | "invoice_opening" | "payment_attempt" | "charge" | "evidence_due_soon" | "evidence_deadline" | "warning_end" | "network_notice" | null;
            /**
             * Format: date-time
             * @description Until when the wait should be over; null if nobody promises it.
             */
            expected_by: string | null;
            /** @description What has happened, oldest first. */
            items: components["schemas"]["TimelineItem"][];
        };
        RequestLog: {
            /** @description The id of the call in the log. */
            request_log_id: string;
            /** @description The `X-Request-Id` of its answer. */
            request_id: string;
            /**
             * Format: date-time
             * @description When the call arrived.
             */
            created_at: string;
            /**
             * @description The method of the call, such as `POST`.
             * @example POST
             */
            method: string;
            /**
             * @description The path of the operation.
             * @example /v1/payments/{payment_id}
             */
            route: string;
            /** @description The path that was called, without its query. What is not an id stays as in `route`. */
            path: string;
            /**
             * @description The operation, by its `operationId`.
             * @example payments.get
             */
            operation: string;
            /**
             * @description The status of the answer.
             * @example 200
             */
            status: number;
            /** @description The `error_code` of the answer; null if it was no error. */
            error_code: string | null;
            /** @description The page about the error code; null without one. */
            doc_url: string | null;
            /** @description The names of the fields that were wrong. `*` stands for a name that is not in the reference. */
            error_fields: string[];
            /** @description The key that called; null if it was a person. */
            api_key: {
                /** @description The id of the API key. */
                api_key_id: string;
                /** @description The end of the key; null if the key is not known any more. */
                last_four: string | null;
            } | null;
            /** @description The person who called; null if it was a key. */
            user_id: string | null;
            /** @description The connected account of `X-Account-Id`; null without one. */
            acting_for: string | null;
            /**
             * @description A call of the API, or a form of the dashboard.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description The `X-API-Version` of the answer. */
            api_version: string | null;
            /** @description Whether it got the stored answer to an earlier call. */
            idempotent_replayed: boolean;
            /** @description From its arrival until it was answered, in milliseconds. */
            duration_ms: number;
        };
        RequestLogPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["RequestLog"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["CursorPagination"];
        };
        PayInSandbox: {
            /**
             * @description How it ends. If left out: `success`.
             * @enum {string|null}
             */
            outcome?: "success" | "failed" | "card_declined" | "insufficient_funds" | "expired_card" | "declines_later" | "expires_later" | "asks_for_3ds_later" | "answers_late_later" | "authentication_failed" | "customer_rejected" | "customer_timeout" | "underpaid" | null;
            /** @description The amount of the transfer or coins; less than the amount due is underpaid. */
            amount?: string | null;
            /** @description The payment method, such as `USD_CARD`. */
            payment_method?: string | null;
            /** @description For a SELECTION session: one of its products. */
            products?: {
                /**
                 * @description The id of the product.
                 * @example prod_…
                 */
                product_id: string;
                /** @description Default 1. */
                quantity?: number | null;
                /**
                 * @description For price_type custom: within its minimum and maximum.
                 * @example 25.00
                 */
                amount?: string | null;
            }[] | null;
            /** @description What is known of the buyer; null while nothing is. */
            customer_details?: components["schemas"]["CustomerDetails"] | null;
        };
        SimulatedDeposit: {
            /** @description In the payment’s currency or asset. Left out: the missing amount. */
            amount?: string | null;
            /** @description Who sends the money. */
            sender_name?: string | null;
            /**
             * @description The id of the bank transfer. The same id is the same transfer.
             * @example S20261120
             */
            session_id?: string | null;
            /**
             * @description The hash of the transaction. The same hash is the same transaction.
             * @example 0x5f2c
             */
            tx_hash?: string | null;
        };
        SimulatedVirtualAccountDeposit: {
            /**
             * @description How much is sent.
             * @example 5000.00
             */
            amount: string;
            /** @description Null: the bank does not tell. */
            sender_name?: string | null;
            /** @description Null: the bank does not tell. */
            sender_bank?: string | null;
            /**
             * @description The account of who sends the money.
             * @example 012*****78
             */
            sender_account_number?: string | null;
            /**
             * @description The bank’s id: the same id again is the same transfer.
             * @example S20261120
             */
            session_id?: string | null;
        };
        SettlePayout: {
            /**
             * @description How it ends. If left out: `success`.
             * @enum {string|null}
             */
            outcome?: "success" | "failed" | "returned" | null;
        };
        RaiseDispute: {
            /** @description In the payment’s currency. Left out: all that refunds and disputes leave. */
            amount?: string | null;
            /**
             * @description Why the payer disputes the payment. If left out: `fraudulent`.
             * @enum {string|null}
             */
            reason?: "credit_not_processed" | "duplicate" | "fraudulent" | "general" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized" | null;
            /** @description Announces the dispute: a full refund within 72 hours prevents it. If left out: `false`. */
            early_warning?: boolean | null;
        };
        SettleDispute: {
            /**
             * @description How it ends.
             * @enum {string}
             */
            outcome: "won" | "lost" | "withdrawn";
        };
        TriggerEvent: {
            /**
             * @description The type of the sample event.
             * @enum {string}
             */
            type: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
        };
        Email: {
            /** @description The id of the mail. */
            email_id: string;
            /** @description The address that it was sent to. */
            to: string;
            /** @description The subject of the mail. */
            subject: string;
            /** @description The text of the mail. */
            text: string;
            /** @description The same as HTML, where the mail has it. */
            html?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        EmailPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["Email"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        CreateTestClock: {
            /** @description Your name for the clock. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             * @example 2026-01-31T00:00:00Z
             */
            frozen_time?: string | null;
        };
        TestClock: {
            /** @description The id of the test clock. */
            clock_id: string;
            /** @description Your name for the clock. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             */
            frozen_time: string;
            /**
             * @description Whether it stands still, or is being advanced.
             * @enum {string}
             */
            status: "ready" | "advancing";
            /**
             * Format: date-time
             * @description The time to which it is being advanced; null if it stands still.
             */
            advances_to: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        TestClockPage: {
            /** @description The page’s items, in the order of the list. */
            items: components["schemas"]["TestClock"][];
            /** @description Where the page stands in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        DeletedTestClock: {
            /** @description The id of the test clock. */
            clock_id: string;
            /** @description Your name for the clock. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             */
            frozen_time: string;
            /**
             * @description Whether it stands still, or is being advanced.
             * @enum {string}
             */
            status: "ready" | "advancing";
            /**
             * Format: date-time
             * @description The time to which it is being advanced; null if it stands still.
             */
            advances_to: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Always true. */
            deleted: boolean;
        };
        AttachToTestClock: {
            /** @description The id of the account. */
            account_id?: string | string[] | null;
            /** @description The id of the customer. */
            customer_id?: string | string[] | null;
            /** @description The id of the checkout session. */
            checkout_id?: string | string[] | null;
            /** @description The id of the payment. */
            payment_id?: string | string[] | null;
            /** @description The id of the refund. */
            refund_id?: string | string[] | null;
            /** @description The id of the payout. */
            payout_id?: string | string[] | null;
            /** @description The id of the payout destination. */
            destination_id?: string | string[] | null;
            /** @description The id of the webhook endpoint. */
            endpoint_id?: string | string[] | null;
            /** @description The id of the webhook delivery. */
            delivery_id?: string | string[] | null;
            /** @description The id of the subscription; null if there is none. */
            subscription_id?: string | string[] | null;
            /** @description The id of the invoice. */
            invoice_id?: string | string[] | null;
            /** @description The id of the dispute. */
            dispute_id?: string | string[] | null;
        };
        AdvanceTestClock: {
            /**
             * Format: date-time
             * @description The time to advance to.
             * @example 2026-01-31T00:00:00Z
             */
            to?: string | null;
            /**
             * @description For how long to advance, as an ISO 8601 duration.
             * @example P1M
             * @example PT72H
             */
            by?: string | null;
        };
        ClockHappening: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description The id of the resource. */
            resource_id: string;
            /** @description The status that the resource took (of a delivery `failed` or `skipped`), or `attempt`, `warned`, `disabled`. */
            step: string;
            /**
             * @description Who did it.
             * @enum {string}
             */
            actor: "merchant" | "buyer" | "rail" | "system" | "reviewer" | "operator";
            /** @description Why it failed, as a code; null if it did not. */
            last_error: string | null;
            /** @description The ids of the events that report this. */
            event_ids: string[];
            /** @description The ids of the ledger transactions that were posted for this. */
            ledger_transaction_ids: string[];
        };
        AdvancedClock: {
            /** @description The id of the test clock. */
            clock_id: string;
            /** @description Your name for the clock. */
            name: string;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             */
            frozen_time: string;
            /**
             * @description Whether it stands still, or is being advanced.
             * @enum {string}
             */
            status: "ready" | "advancing";
            /**
             * Format: date-time
             * @description The time to which it is being advanced; null if it stands still.
             */
            advances_to: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description What the advance has caused, in order. */
            happened: components["schemas"]["ClockHappening"][];
        };
        ScenarioStep: {
            /** @description A checkout session is created. The steps after it are about this session. */
            create?: {
                /**
                 * @description The price.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * Format: currency
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /**
                 * @description With what the buyer pays; the session offers only its kind.
                 * @enum {string|null}
                 */
                payment_method?: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO" | null;
                /** @description After how many minutes the session expires. */
                expires_in_minutes?: number | null;
            } | null;
            /** @description The buyer pays, with the outcomes of the test helper. */
            pay?: {
                /**
                 * @description How it ends.
                 * @example card_declined
                 */
                outcome?: string | null;
            } | null;
            /**
             * @description The buyer sends a part of the amount due, by bank transfer or in crypto.
             * @example 60 %
             */
            deposit?: string | null;
            /** @description The buyer sends the missing amount. */
            top_up?: Record<string, never> | null;
            /**
             * @description The clock is advanced.
             * @example P2D
             */
            wait?: string | null;
            /** @description The payment is refunded. */
            refund?: {
                /**
                 * @description Left out: everything that is left.
                 * @example 25.00
                 */
                amount?: string | null;
                /**
                 * @description How it ends.
                 * @enum {string|null}
                 */
                outcome?: "success" | "failed" | null;
            } | null;
            /** @description The buyer’s bank disputes the payment, or announces it. */
            dispute?: {
                /** @description In the payment’s currency. Left out: all that refunds and disputes leave. */
                amount?: string | null;
                /**
                 * @description Why the payer disputes the payment. If left out: `fraudulent`.
                 * @enum {string|null}
                 */
                reason?: "credit_not_processed" | "duplicate" | "fraudulent" | "general" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized" | null;
                /** @description Announces the dispute: a full refund within 72 hours prevents it. If left out: `false`. */
                early_warning?: boolean | null;
            } | null;
            /**
             * @description The merchant submits this text against the dispute. Two documented texts decide it.
             * @example winning_evidence
             */
            evidence?: string | null;
            /** @description A customer buys a recurring product. The steps after it are about this subscription. */
            subscribe?: {
                /**
                 * @description The price of a period.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * Format: currency
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /**
                 * @description The unit of the period. If left out: `month`.
                 * @enum {string|null}
                 */
                interval?: "day" | "week" | "month" | "year" | null;
                /** @description How many intervals a period has. If left out: `1`. */
                interval_count?: number | null;
                /** @description How many days are free at the beginning. If left out: `0`. */
                trial_days?: number | null;
                /**
                 * @description An outcome of the test helper.
                 * @example declines_later
                 */
                outcome?: string | null;
            } | null;
            /** @description The customer saves another card, which the subscription is charged to from now on. */
            new_card?: {
                /**
                 * @description An outcome of the test helper.
                 * @example declines_later
                 */
                outcome?: string | null;
            } | null;
            /** @description The subscription is canceled. */
            cancel?: {
                /** @description Whether it ends with the current period, or at once. If left out: `true`. */
                at_period_end?: boolean | null;
            } | null;
            /** @description What a receiver of webhooks answers next, which the sandbox runs. After all that is planned it answers 200. */
            receiver?: {
                /** @description A status of HTTP; or no answer within the time limit, or a refused connection. */
                answers: number | ("timeout" | "refused");
                /** @description For how many attempts. Left out: one. */
                times?: number | null;
            } | null;
        };
        RunScenario: {
            /** @description Your name for the scenario. */
            name?: string | null;
            /** @description With the same seed and the same steps the answer is the same. */
            seed?: string | null;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             * @example 2026-01-31T00:00:00Z
             */
            frozen_time?: string | null;
            /** @description The steps, in order. */
            steps: components["schemas"]["ScenarioStep"][];
        };
        Error: {
            /** @description What is wrong, for people. Do not branch on it. */
            detail: string;
            /** @description What is wrong, for programs. The list of codes is in the manual. */
            error_code: string;
            /**
             * Format: uri
             * @description The page that says what the code means and what to do next.
             */
            doc_url?: string;
            /** @description The fields that are wrong. Only some errors have it. */
            errors?: {
                /** @description The path of the field, with dots. */
                field: string;
                /** @description What is wrong with the field, for people. */
                message: string;
                /** @description The kind of fault, such as `value_error.missing`. */
                type: string;
                /** @description The fault more exactly. Only some faults have it. */
                code?: string;
            }[];
        };
        RanScenarioStep: {
            /** @description The position of the step, from 0. */
            index: number;
            /**
             * @description What the step does.
             * @enum {string}
             */
            kind: "create" | "pay" | "deposit" | "top_up" | "wait" | "refund" | "dispute" | "evidence" | "subscribe" | "new_card" | "cancel" | "receiver";
            /**
             * @description Whether the step was done.
             * @enum {string}
             */
            status: "done" | "failed" | "skipped";
            /**
             * Format: date-time
             * @description When it was done, on the scenario’s clock; null if it was not.
             */
            at: string | null;
            /** @description Why the step failed. Only a failed step has it. */
            error?: components["schemas"]["Error"];
        };
        ScenarioEvent: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description The id of the resource that the event is about. */
            resource_id: string;
            /** @description The resource, as it was when the event happened. */
            data: {
                [key: string]: unknown;
            };
        };
        RanScenario: {
            /** @description The name of the scenario; null without one. */
            name: string | null;
            /** @description The seed that was given; null without one. */
            seed: string | null;
            /** @description The id of the test clock. */
            clock_id: string;
            /**
             * Format: date-time
             * @description The time at which the clock stands.
             */
            frozen_time: string;
            /** @description The steps, in order. */
            steps: components["schemas"]["RanScenarioStep"][];
            /** @description Every event about what the scenario has made, in order. */
            events: components["schemas"]["ScenarioEvent"][];
            /** @description Every status that they took, in order. */
            happened: components["schemas"]["ClockHappening"][];
        };
        /** @description Sent when a payment has arrived in full, or you have accepted a smaller amount. */
        CollectionSucceededEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "collection.succeeded";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payment. */
                payment_id: string;
                /** @description The checkout session; null for a charge of a subscription, and for a deposit. */
                checkout_id: string | null;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /**
                 * @description What the buyer was to pay, in `currency`.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency in which the buyer pays.
                 * @example USD
                 */
                currency: string;
                /** @description The customer; null if the sale has none. */
                customer: {
                    /** @description The email address. */
                    email: string;
                    /** @description The name of the customer; null if it is not known. */
                    name: string | null;
                } | null;
                /**
                 * @description The payment method, such as `USD_CARD`.
                 * @enum {string}
                 */
                payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
                /** @description Your own keys and values. They change nothing that the service does. */
                metadata: {
                    [key: string]: string;
                };
                /** @description Sent if the money arrived after the session had ended, or too late for its invoice. */
                late?: boolean;
                /**
                 * @description What the event reports of the payment.
                 * @constant
                 */
                status: "success";
                /** @description The sale was paid already: this payment is refunded. */
                duplicate?: boolean;
                /** @description Less than `amount` has arrived, and the merchant has accepted that. */
                partial?: boolean;
                /**
                 * @description What settles into your balance, after the fee.
                 * @example 25.00
                 */
                settlement_amount: string;
                /**
                 * @description The currency in which it settles.
                 * @example USD
                 */
                settlement_currency: string;
                /** @description Details of the payer, which differ by payment method; null before they are known. */
                payment_method_details: {
                    [key: string]: string | number | boolean | null;
                } | null;
                /**
                 * Format: date-time
                 * @description When the payment succeeded.
                 */
                completed_at: string;
            };
        };
        /** @description Sent when an attempt failed; `failure_code` says why. */
        CollectionFailedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "collection.failed";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payment. */
                payment_id: string;
                /** @description The checkout session; null for a charge of a subscription, and for a deposit. */
                checkout_id: string | null;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /**
                 * @description What the buyer was to pay, in `currency`.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency in which the buyer pays.
                 * @example USD
                 */
                currency: string;
                /** @description The customer; null if the sale has none. */
                customer: {
                    /** @description The email address. */
                    email: string;
                    /** @description The name of the customer; null if it is not known. */
                    name: string | null;
                } | null;
                /**
                 * @description The payment method, such as `USD_CARD`.
                 * @enum {string}
                 */
                payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
                /** @description Your own keys and values. They change nothing that the service does. */
                metadata: {
                    [key: string]: string;
                };
                /** @description Sent if the money arrived after the session had ended, or too late for its invoice. */
                late?: boolean;
                /**
                 * @description What the event reports of the payment.
                 * @constant
                 */
                status: "failed";
                /**
                 * @description Why the attempt failed. The list of codes is in the manual.
                 * @enum {string|null}
                 */
                failure_code: "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed" | "customer_timeout" | "customer_rejected" | "invalid_account" | "rail_unavailable" | null;
                /**
                 * Format: date-time
                 * @description When it failed.
                 */
                failed_at: string;
            };
        };
        /** @description Sent when less than the amount due has arrived. */
        CollectionUnderpaidEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "collection.underpaid";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payment. */
                payment_id: string;
                /** @description The checkout session; null for a charge of a subscription, and for a deposit. */
                checkout_id: string | null;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /**
                 * @description What the buyer was to pay, in `currency`.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency in which the buyer pays.
                 * @example USD
                 */
                currency: string;
                /** @description The customer; null if the sale has none. */
                customer: {
                    /** @description The email address. */
                    email: string;
                    /** @description The name of the customer; null if it is not known. */
                    name: string | null;
                } | null;
                /**
                 * @description The payment method, such as `USD_CARD`.
                 * @enum {string}
                 */
                payment_method: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
                /** @description Your own keys and values. They change nothing that the service does. */
                metadata: {
                    [key: string]: string;
                };
                /** @description Sent if the money arrived after the session had ended, or too late for its invoice. */
                late?: boolean;
                /**
                 * @description What the event reports of the payment.
                 * @constant
                 */
                status: "underpaid";
                /**
                 * @description How much has arrived so far.
                 * @example 25.00
                 */
                amount_received: string;
            };
        };
        /** @description Sent when a payout was accepted, and its amount and fee are reserved. */
        PayoutCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout.created";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payout. */
                payout_id: string;
                /**
                 * @description What arrives, in `payout_currency`.
                 * @example 25.00
                 */
                payout_amount: string;
                /**
                 * @description The currency in which it arrives.
                 * @example USD
                 */
                payout_currency: string;
                /**
                 * @description What the event reports of the payout.
                 * @constant
                 */
                status: "created";
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
            };
        };
        /** @description Sent when a payout has arrived. */
        PayoutPaidEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout.paid";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payout. */
                payout_id: string;
                /**
                 * @description What arrives, in `payout_currency`.
                 * @example 25.00
                 */
                payout_amount: string;
                /**
                 * @description The currency in which it arrives.
                 * @example USD
                 */
                payout_currency: string;
                /**
                 * @description What the event reports of the payout.
                 * @constant
                 */
                status: "paid";
                /**
                 * Format: date-time
                 * @description When it arrived.
                 */
                completed_at: string;
            };
        };
        /** @description Sent when a payout was rejected or could not be delivered; amount and fee are back in the balance. */
        PayoutFailedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout.failed";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payout. */
                payout_id: string;
                /**
                 * @description What arrives, in `payout_currency`.
                 * @example 25.00
                 */
                payout_amount: string;
                /**
                 * @description The currency in which it arrives.
                 * @example USD
                 */
                payout_currency: string;
                /**
                 * @description What the event reports of the payout.
                 * @constant
                 */
                status: "failed";
                /**
                 * Format: date-time
                 * @description When it failed.
                 */
                failed_at: string;
            };
        };
        /** @description Sent when a bank has sent a payout back after it had arrived; the amount is credited. */
        PayoutReturnedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout.returned";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the payout. */
                payout_id: string;
                /**
                 * @description What arrives, in `payout_currency`.
                 * @example 25.00
                 */
                payout_amount: string;
                /**
                 * @description The currency in which it arrives.
                 * @example USD
                 */
                payout_currency: string;
                /**
                 * @description What the event reports of the payout.
                 * @constant
                 */
                status: "returned";
                /**
                 * Format: date-time
                 * @description When the bank sent it back.
                 */
                returned_at: string;
            };
        };
        /** @description Sent when a refund was accepted and its amount reserved. */
        RefundCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.created";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the refund. */
                refund_id: string;
                /**
                 * @description How much is refunded.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /** @description The reference of the payment that is refunded; null if it has none. */
                reference: string | null;
                /**
                 * @description What the event reports of the refund.
                 * @constant
                 */
                status: "created";
            };
        };
        /** @description Sent when the rail has sent the money back. */
        RefundPaidEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.paid";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the refund. */
                refund_id: string;
                /**
                 * @description How much is refunded.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /** @description The reference of the payment that is refunded; null if it has none. */
                reference: string | null;
                /**
                 * @description What the event reports of the refund.
                 * @constant
                 */
                status: "paid";
                /**
                 * Format: date-time
                 * @description When the money was sent back.
                 */
                completed_at: string;
            };
        };
        /** @description Sent when a refund could not be delivered, or its money has come back after `refund.paid`; you have the amount again. */
        RefundFailedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.failed";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the refund. */
                refund_id: string;
                /**
                 * @description How much is refunded.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency of the amounts, as an ISO 4217 code.
                 * @example USD
                 */
                currency: string;
                /** @description The reference of the payment that is refunded; null if it has none. */
                reference: string | null;
                /**
                 * @description What the event reports of the refund.
                 * @constant
                 */
                status: "failed";
            };
        };
        /** @description Sent when a conversion was executed; the bought amount is in the balance. */
        ConversionCompletedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "conversion.completed";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the conversion. */
                conversion_id: string;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /**
                 * @description What is sold.
                 * @example 25.00
                 */
                from_amount: string;
                /**
                 * @description The currency that is sold.
                 * @example USD
                 */
                from_currency: string;
                /**
                 * @description The currency that is bought.
                 * @example USD
                 */
                to_currency: string;
                /**
                 * @description What the event reports of the conversion.
                 * @constant
                 */
                status: "completed";
                /**
                 * @description What is bought.
                 * @example 25.00
                 */
                to_amount: string;
                /** @description Units of the bought currency for one of the sold. */
                rate: string;
                /**
                 * @description The fee, in the currency that is sold.
                 * @example 25.00
                 */
                fee: string;
                /**
                 * Format: date-time
                 * @description When it was executed.
                 */
                completed_at: string;
            };
        };
        /** @description Sent when a conversion could not be executed; the reserved amount is back in the balance. */
        ConversionFailedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "conversion.failed";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the conversion. */
                conversion_id: string;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /**
                 * @description What is sold.
                 * @example 25.00
                 */
                from_amount: string;
                /**
                 * @description The currency that is sold.
                 * @example USD
                 */
                from_currency: string;
                /**
                 * @description The currency that is bought.
                 * @example USD
                 */
                to_currency: string;
                /**
                 * @description What the event reports of the conversion.
                 * @constant
                 */
                status: "failed";
                /** @description Why it failed. */
                failure_reason: string;
                /**
                 * Format: date-time
                 * @description When it failed.
                 */
                failed_at: string;
            };
        };
        /** @description Sent when a session is completed; `payment_status` is `paid` or `no_payment_required`. */
        CheckoutCompletedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "checkout.completed";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the checkout session. */
                checkout_id: string;
                /**
                 * @description What was sold for in all, in `currency`.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency of the sale.
                 * @example USD
                 */
                currency: string;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /** @description What is known of the buyer; null while nothing is. */
                customer_details: {
                    /** @description The email address. */
                    email: string;
                    /** @description The name of the buyer; null if it is not known. */
                    name: string | null;
                } | null;
                /** @description Your own keys and values. They change nothing that the service does. */
                metadata: {
                    [key: string]: string;
                };
                /**
                 * @description The state of the payment when the session ended.
                 * @enum {string}
                 */
                payment_status: "paid" | "no_payment_required";
                /**
                 * @description The currency in which the buyer pays.
                 * @example USD
                 */
                billing_currency: string;
                /** @description What created the session: `CHECKOUT_SESSION`, `PAYMENT_LINK`, `INVOICE` or `CUSTOMER_PORTAL`. */
                source_type: string;
                /**
                 * @description `CART`: everything is sold together. `SELECTION`: the buyer picks one product.
                 * @enum {string}
                 */
                session_mode: "CART" | "SELECTION";
                /** @description The products that are sold; null if the session sells an amount, or before the buyer has picked one. */
                products: components["schemas"]["LineItem"][] | null;
                /** @description The customer; null if the sale has none. */
                customer: {
                    /** @description The id of the customer’s record. */
                    id: string;
                    /** @description The email address. */
                    email: string;
                    /** @description The name of the customer; null if it is not known. */
                    name: string | null;
                } | null;
                /** @description The id of the payment; null for a session that costs nothing. */
                payment_id: string | null;
                /** @description The id of the subscription; null if there is none. */
                subscription_id: string | null;
                /** @description The payment method: `CARD`, or a corridor such as `MOMO_GHS`; null if none was used. */
                payment_method: string | null;
                /**
                 * Format: date-time
                 * @description When the session was completed.
                 */
                completed_at: string;
            };
        };
        /** @description Sent when an open session has expired. */
        CheckoutExpiredEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "checkout.expired";
            /** @description The resource, as it was when the event happened. */
            data: {
                /** @description The id of the checkout session. */
                checkout_id: string;
                /**
                 * @description What was sold for in all, in `currency`.
                 * @example 25.00
                 */
                amount: string;
                /**
                 * @description The currency of the sale.
                 * @example USD
                 */
                currency: string;
                /** @description Your own reference; null if you gave none. */
                reference: string | null;
                /** @description What is known of the buyer; null while nothing is. */
                customer_details: {
                    /** @description The email address. */
                    email: string;
                    /** @description The name of the buyer; null if it is not known. */
                    name: string | null;
                } | null;
                /** @description Your own keys and values. They change nothing that the service does. */
                metadata: {
                    [key: string]: string;
                };
                /**
                 * @description The status of the session.
                 * @constant
                 */
                status: "expired";
                /**
                 * @description The state of the payment when the session ended.
                 * @enum {string}
                 */
                payment_status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled";
                /**
                 * @description Why the last attempt failed; null if nobody tried or none failed.
                 * @enum {string|null}
                 */
                last_failure_code: "card_declined" | "insufficient_funds" | "expired_card" | "authentication_failed" | "customer_timeout" | "customer_rejected" | "invalid_account" | "rail_unavailable" | null;
                /**
                 * Format: date-time
                 * @description When the session expired.
                 */
                expired_at: string;
            };
        };
        /** @description Sent when a customer record was made. */
        CustomerCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.created";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Customer"];
        };
        /** @description Sent when a customer record was changed. */
        CustomerUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Customer"];
        };
        /** @description Sent when a checkout has begun a subscription. */
        CustomerSubscriptionCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.created";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"];
        };
        /** @description Sent when a subscription was changed. */
        CustomerSubscriptionUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"];
        };
        /** @description Sent when a new period has begun. */
        CustomerSubscriptionRenewedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.renewed";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"];
        };
        /** @description Sent when a trial ends in 3 days, or sooner where less is left of it. */
        CustomerSubscriptionTrialWillEndEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.trial_will_end";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"] & {
                /**
                 * @description The status of the subscription.
                 * @constant
                 */
                status: "trialing";
            };
        };
        /** @description Sent when a period could not be paid. */
        CustomerSubscriptionPastDueEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.past_due";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"] & {
                /**
                 * @description The status of the subscription.
                 * @constant
                 */
                status: "past_due";
            };
        };
        /** @description Sent when a subscription is paused. */
        CustomerSubscriptionPausedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.paused";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"] & {
                /**
                 * @description The status of the subscription.
                 * @constant
                 */
                status: "paused";
            };
        };
        /** @description Sent when a paused subscription has resumed. */
        CustomerSubscriptionResumedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.resumed";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"];
        };
        /** @description Sent when a subscription has ended. */
        CustomerSubscriptionCanceledEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "customer.subscription.canceled";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Subscription"] & {
                /**
                 * @description The status of the subscription.
                 * @constant
                 */
                status: "canceled";
            };
        };
        /** @description Sent when a payer has disputed a payment, or a network has announced that (`early_warning`). */
        DisputeCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "dispute.created";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Dispute"] & {
                /**
                 * @description The status of the dispute.
                 * @enum {string}
                 */
                status: "early_warning" | "needs_response";
            };
        };
        /** @description Sent when a dispute or its evidence was changed. */
        DisputeUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "dispute.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Dispute"];
        };
        /** @description Sent when 48 hours are left to respond to a dispute. */
        DisputeEvidenceDueSoonEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "dispute.evidence_due_soon";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Dispute"] & {
                /**
                 * @description The status of the dispute.
                 * @constant
                 */
                status: "needs_response";
            };
        };
        /** @description Sent when a dispute was won and its amount returned. */
        DisputeWonEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "dispute.won";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Dispute"] & {
                /**
                 * @description The status of the dispute.
                 * @constant
                 */
                status: "won";
            };
        };
        /** @description Sent when a dispute was lost, accepted or not answered in time. */
        DisputeLostEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "dispute.lost";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Dispute"] & {
                /**
                 * @description The status of the dispute.
                 * @constant
                 */
                status: "lost";
            };
        };
        /** @description Sent when an invoice was paid. */
        InvoicePaidEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.paid";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Invoice"] & {
                /**
                 * @description The status of the invoice.
                 * @constant
                 */
                status: "paid";
            };
        };
        /** @description Sent when an invoice could not be charged. */
        InvoicePaymentFailedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.payment_failed";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Invoice"];
        };
        /** @description Sent when money was transferred to another account, by a call or by a sale. */
        TransferCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "transfer.created";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Transfer"] & {
                /**
                 * @description Whether it stands, or has gone back in part or in full.
                 * @constant
                 */
                status: "succeeded";
            };
        };
        /** @description Sent when a transfer, or a part of it, has gone back. */
        TransferReversedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "transfer.reversed";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Transfer"];
        };
        /** @description Sent when a reversal was undone, because its refund has failed or its dispute was won. */
        TransferUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "transfer.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Transfer"];
        };
        /** @description Sent when a sale of a connected account has paid the platform a fee. */
        PlatformFeeCreatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "platform_fee.created";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["PlatformFee"] & {
                /**
                 * @description Whether it stands, or was refunded in part or in full.
                 * @constant
                 */
                status: "succeeded";
            };
        };
        /** @description Sent when a platform fee, or a part of it, was refunded. */
        PlatformFeeRefundedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "platform_fee.refunded";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["PlatformFee"];
        };
        /** @description Sent when the refund of a platform fee was undone, because the refund of the sale has failed or its dispute was won. */
        PlatformFeeUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "platform_fee.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["PlatformFee"];
        };
        /** @description Sent when a connected account or its requirements were changed. */
        AccountUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "account.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Account"];
        };
        /** @description Sent when a capability of a connected account was changed. */
        CapabilityUpdatedEvent: {
            /** @description The id of the event. It is the same in every attempt to deliver it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @description The connected account whose event it is. Your own events do not have it. */
            account_id?: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "capability.updated";
            /** @description The resource, as it was when the event happened. */
            data: components["schemas"]["Capability"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the call: yours, if you sent up to 64 letters, digits, `_` and `-`, else a new one. */
        "X-Request-Id": string;
        /** @description The version of the API that this answer follows. */
        "X-API-Version": string;
        /** @description The calls that the caller may make in a minute. */
        "X-RateLimit-Limit": number;
        /** @description The calls that are left in this minute. */
        "X-RateLimit-Remaining": number;
        /** @description When the minute ends: a Unix timestamp in seconds. */
        "X-RateLimit-Reset": number;
        /** @description The seconds to wait before trying again. */
        "Retry-After": number;
        /** @description `Bearer`, with the error if a bearer token was sent. */
        "WWW-Authenticate": string;
        /** @description Sent if the call uses a deprecated field, or is answered with one: since when it is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description Sent with `Deprecation`: from when on the field may be refused, or missing (RFC 8594). */
        Sunset: string;
        /** @description The name under which a browser saves the file. */
        "Content-Disposition": string;
        /** @description Sent if this is the stored answer to an earlier call with this key. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export interface operations {
    "checkoutSessions.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "open" | "completed" | "expired" | "cancelled";
                /** @description Only those with this payment status. */
                payment_status?: "requires_payment_method" | "requires_confirmation" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled";
                /** @description Only those of this customer. */
                customer_id?: string;
                /** @description Only those with exactly this reference. */
                reference?: string;
                /** @description Only those of this payment link. */
                payment_link_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checkout sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionPage"];
                };
            };
        };
    };
    "checkoutSessions.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCheckoutSession"];
            };
        };
        responses: {
            /** @description The new checkout session, with its address and its client secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCheckoutSession"];
                };
            };
        };
    };
    "checkoutSessions.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
        };
    };
    "checkoutSessions.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
        };
    };
    "checkoutSessions.getPublic": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the buyer may see of the checkout session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicCheckoutSession"];
                };
            };
        };
    };
    "checkoutSessions.pay": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayCheckout"];
            };
        };
        responses: {
            /** @description The state of the payment, and what the buyer has to do next */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAttempt"];
                };
            };
        };
    };
    "checkoutSessions.confirm": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmCheckout"];
            };
        };
        responses: {
            /** @description The state of the payment, and what the buyer has to do next */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAttempt"];
                };
            };
        };
    };
    "checkoutSettings.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettings"];
                };
            };
        };
    };
    "checkoutSettings.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCheckoutSettings"];
            };
        };
        responses: {
            /** @description The checkout settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettings"];
                };
            };
        };
    };
    "paymentLinks.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only active ones, or only others. */
                active?: boolean;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payment links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkPage"];
                };
            };
        };
    };
    "paymentLinks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentLink"];
            };
        };
        responses: {
            /** @description The new payment link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    "paymentLinks.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment link.
                 * @example pl_01kg9ys7g0000000000000000000000001
                 */
                payment_link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    "paymentLinks.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment link.
                 * @example pl_01kg9ys7g0000000000000000000000001
                 */
                payment_link_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePaymentLink"];
            };
        };
        responses: {
            /** @description The payment link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
        };
    };
    "paymentLinks.getPublic": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of the link’s `url`.
                 * @example example-slug
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a buyer may see of the payment link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPaymentLink"];
                };
            };
        };
    };
    "paymentLinks.sessions.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of the link’s `url`.
                 * @example example-slug
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenPaymentLink"];
            };
        };
        responses: {
            /** @description The address of the checkout session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckoutSession"];
                };
            };
        };
    };
    "payments.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "requires_action" | "processing" | "succeeded" | "underpaid" | "failed" | "canceled";
                /** @description Only those with this payment method. */
                payment_method?: "USD_CARD" | "NGN_CARD" | "NGN_BANK_TRANSFER" | "MOMO_GHS" | "MOMO_KES" | "MOMO_RWF" | "MOMO_TZS" | "MOMO_UGX" | "MOMO_XAF" | "MOMO_XOF" | "MOMO_ZMW" | "CRYPTO";
                /** @description Only those of this customer. */
                customer_id?: string;
                /** @description Only those of this checkout session. */
                checkout_id?: string;
                /** @description Only those of this subscription. */
                subscription_id?: string;
                /** @description Only those with exactly this reference. */
                reference?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedPaymentPage"];
                };
            };
        };
    };
    "payments.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
        };
    };
    "payments.accept": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
        };
    };
    "summary.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
        };
    };
    "payments.getReceipt": {
        parameters: {
            query?: {
                /** @description The language of the reader. It counts where neither the customer nor the sale names one of ours. */
                locale?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt as a PDF */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    "paymentMethods.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment methods, with their currencies */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethods"];
                };
            };
        };
    };
    "customers.paymentMethods.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the customer.
                 * @example cust_01kg9ys7g0000000000000000000000001
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of saved payment methods */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPaymentMethodPage"];
                };
            };
        };
    };
    "customers.paymentMethods.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the customer.
                 * @example cust_01kg9ys7g0000000000000000000000001
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachPaymentMethod"];
            };
        };
        responses: {
            /** @description The saved payment method */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPaymentMethod"];
                };
            };
        };
    };
    "products.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only active ones, or only others. */
                active?: boolean;
                /** @description Part of the name, in upper or lower case. */
                search?: string;
                /** @description Only products that are billed again, or only others. */
                recurring?: boolean;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
        };
    };
    "products.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProduct"];
            };
        };
        responses: {
            /** @description The new product */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    "products.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the product.
                 * @example prod_01kg9ys7g0000000000000000000000001
                 */
                product_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    "products.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the product.
                 * @example prod_01kg9ys7g0000000000000000000000001
                 */
                product_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product is archived */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedProduct"];
                };
            };
        };
    };
    "products.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the product.
                 * @example prod_01kg9ys7g0000000000000000000000001
                 */
                product_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeProduct"];
            };
        };
        responses: {
            /** @description The product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    "productGroups.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only active ones, or only others. */
                active?: boolean;
                /** @description Part of the name, in upper or lower case. */
                search?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of product groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductGroupPage"];
                };
            };
        };
    };
    "productGroups.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProductGroup"];
            };
        };
        responses: {
            /** @description The new product group */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductGroup"];
                };
            };
        };
    };
    "productGroups.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the product group.
                 * @example pg_01kg9ys7g0000000000000000000000001
                 */
                product_group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductGroup"];
                };
            };
        };
    };
    "productGroups.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the product group.
                 * @example pg_01kg9ys7g0000000000000000000000001
                 */
                product_group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product group is archived */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedProductGroup"];
                };
            };
        };
    };
    "productGroups.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the product group.
                 * @example pg_01kg9ys7g0000000000000000000000001
                 */
                product_group_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeProductGroup"];
            };
        };
        responses: {
            /** @description The product group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductGroup"];
                };
            };
        };
    };
    "uploads.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreateUpload"];
            };
        };
        responses: {
            /** @description The new upload */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    "uploads.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the upload.
                 * @example upl_01kg9ys7g0000000000000000000000001
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedUpload"];
                };
            };
        };
    };
    "reference.productCategories.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product categories */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductCategories"];
                };
            };
        };
    };
    "customers.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Part of the email or the name, in upper or lower case. */
                search?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedCustomerPage"];
                };
            };
        };
    };
    "customers.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomer"];
            };
        };
        responses: {
            /** @description The new customer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the customer.
                 * @example cust_01kg9ys7g0000000000000000000000001
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the customer.
                 * @example cust_01kg9ys7g0000000000000000000000001
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCustomer"];
            };
        };
        responses: {
            /** @description The customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "refunds.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Only those with this status. */
                status?: "pending" | "processing" | "succeeded" | "failed";
                /** @description The id of the payment that is refunded. */
                charge_id?: string;
                /** @description Only those with exactly this reference. */
                reference?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
        };
    };
    "refunds.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRefund"];
            };
        };
        responses: {
            /** @description The new refund */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    "refunds.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the refund.
                 * @example ref_01kg9ys7g0000000000000000000000001
                 */
                refund_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    "refunds.getOfCharge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment that is refunded.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                charge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    "disputes.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "early_warning" | "needs_response" | "under_review" | "won" | "lost" | "prevented";
                /** @description Only those with this reason. */
                reason?: "credit_not_processed" | "duplicate" | "fraudulent" | "general" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized";
                /** @description Only those of this payment. */
                payment_id?: string;
                /** @description Only those of this customer. */
                customer_id?: string;
                /** @description Newest first, or by `evidence_due_at` with the earliest first. */
                order?: "newest" | "due";
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of disputes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedDisputePage"];
                };
            };
        };
    };
    "disputes.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    "disputes.accept": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    "disputes.evidence.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeDisputeEvidence"];
            };
        };
        responses: {
            /** @description The dispute */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    "disputes.documents.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The documents of the dispute, with links that open them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDocuments"];
                };
            };
        };
    };
    "disputes.documents.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDisputeDocument"];
            };
        };
        responses: {
            /** @description The new dispute document */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDocument"];
                };
            };
        };
    };
    "disputes.documents.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
                /**
                 * @description The id of the document.
                 * @example doc_01kg9ys7g0000000000000000000000001
                 */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dispute document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDocument"];
                };
            };
        };
    };
    "subscriptions.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "trialing" | "active" | "past_due" | "paused" | "canceled";
                /** @description Only those of this customer. */
                customer_id?: string;
                /** @description Only those with this product. */
                product_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionPage"];
                };
            };
        };
    };
    "subscriptions.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EditSubscription"];
            };
        };
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelSubscription"];
            };
        };
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.uncancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseSubscription"];
            };
        };
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.changePlan": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePlan"];
            };
        };
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "subscriptions.previewChange": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePlan"];
            };
        };
        responses: {
            /** @description What the change would book */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPreview"];
                };
            };
        };
    };
    "subscriptions.retryPayment": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    "invoices.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "draft" | "open" | "paid" | "void" | "uncollectible";
                /** @description Only those of this customer. */
                customer_id?: string;
                /** @description Only those of this subscription. */
                subscription_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
        };
    };
    "invoices.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    "invoices.getPdf": {
        parameters: {
            query?: {
                /** @description The language of the reader. It counts where neither the customer nor the sale names one of ours. */
                locale?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice as a PDF */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    "invoices.getPublic": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of the invoice’s `hosted_invoice_url`.
                 * @example example-page-key
                 */
                page_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the customer may see of the invoice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicInvoice"];
                };
            };
        };
    };
    "invoices.getPublicPdf": {
        parameters: {
            query?: {
                /** @description The language of the reader. It counts where neither the customer nor the sale names one of ours. */
                locale?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The last part of the invoice’s `hosted_invoice_url`.
                 * @example example-page-key
                 */
                page_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice as a PDF */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    "invoices.pay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of the invoice’s `hosted_invoice_url`.
                 * @example example-page-key
                 */
                page_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address of the checkout session, which existed already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckoutSession"];
                };
            };
            /** @description The address of the checkout session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckoutSession"];
                };
            };
        };
    };
    "invoices.void": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    "invoices.retryPayment": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    "customers.getState": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the customer.
                 * @example cust_01kg9ys7g0000000000000000000000001
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscriptions, the open invoices and the cards of the customer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerState"];
                };
            };
        };
    };
    "customerSessions.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerSession"];
            };
        };
        responses: {
            /** @description The new customer session, with its token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
        };
    };
    "customerPortal.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer, the merchant and what the session is for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPortal"];
                };
            };
        };
    };
    "customerPortal.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePortalCustomer"];
            };
        };
        responses: {
            /** @description The customer, the merchant and what the session is for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPortal"];
                };
            };
        };
    };
    "customerPortal.subscriptions.list": {
        parameters: {
            query?: {
                /** @description How many items to return at most. */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of portal subscriptions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscriptionPage"];
                };
            };
        };
    };
    "customerPortal.subscriptions.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The portal subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscription"];
                };
            };
        };
    };
    "customerPortal.subscriptions.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelOwnSubscription"];
            };
        };
        responses: {
            /** @description The portal subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscription"];
                };
            };
        };
    };
    "customerPortal.subscriptions.uncancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The portal subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscription"];
                };
            };
        };
    };
    "customerPortal.subscriptions.retryPayment": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The portal subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscription"];
                };
            };
        };
    };
    "customerPortal.subscriptions.setPaymentMethod": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PickPaymentMethod"];
            };
        };
        responses: {
            /** @description The portal subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscription"];
                };
            };
        };
    };
    "customerPortal.subscriptions.plans.list": {
        parameters: {
            query?: {
                /** @description How many items to return at most. */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans that the subscription may change to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalPlans"];
                };
            };
        };
    };
    "customerPortal.subscriptions.previewChange": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PickPlan"];
            };
        };
        responses: {
            /** @description What the change would book */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPreview"];
                };
            };
        };
    };
    "customerPortal.subscriptions.changePlan": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PickPlan"];
            };
        };
        responses: {
            /** @description The portal subscription */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSubscription"];
                };
            };
        };
    };
    "customerPortal.invoices.list": {
        parameters: {
            query?: {
                /** @description How many items to return at most. */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only those of this subscription. */
                subscription_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of portal invoices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalInvoicePage"];
                };
            };
        };
    };
    "customerPortal.invoices.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The portal invoice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalInvoice"];
                };
            };
        };
    };
    "customerPortal.paymentMethods.list": {
        parameters: {
            query?: {
                /** @description How many items to return at most. */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of saved payment methods */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPaymentMethodPage"];
                };
            };
        };
    };
    "customerPortal.paymentMethods.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AddPaymentMethod"];
            };
        };
        responses: {
            /** @description The address of the checkout session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedCheckoutSession"];
                };
            };
        };
    };
    "customerPortal.paymentMethods.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the saved card.
                 * @example pm_01kg9ys7g0000000000000000000000001
                 */
                payment_method_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The saved card is removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedPaymentMethod"];
                };
            };
        };
    };
    "payouts.destinations.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "pending_review" | "approved" | "rejected";
                /** @description Only those in this currency. */
                currency?: string;
                /** @description Only those of this type. */
                type?: "bank_account" | "mobile_money" | "crypto_wallet";
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payout destinations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDestinationPage"];
                };
            };
        };
    };
    "payouts.destinations.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayoutDestination"];
            };
        };
        responses: {
            /** @description The new payout destination */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDestination"];
                };
            };
        };
    };
    "payouts.destinations.resolve": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveAccount"];
            };
        };
        responses: {
            /** @description The holder of the bank account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedAccount"];
                };
            };
        };
    };
    "payouts.destinations.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout destination.
                 * @example pd_01kg9ys7g0000000000000000000000001
                 */
                destination_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout destination */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDestination"];
                };
            };
        };
    };
    "payouts.destinations.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout destination.
                 * @example pd_01kg9ys7g0000000000000000000000001
                 */
                destination_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout destination is deactivated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPayoutDestination"];
                };
            };
        };
    };
    "payouts.destinations.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout destination.
                 * @example pd_01kg9ys7g0000000000000000000000001
                 */
                destination_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePayoutDestination"];
            };
        };
        responses: {
            /** @description The payout destination */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDestination"];
                };
            };
        };
    };
    "reference.banks.list": {
        parameters: {
            query: {
                /**
                 * @description Only those in this currency.
                 * @example UGX
                 */
                currency: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The banks of the currency */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Banks"];
                };
            };
        };
    };
    "payouts.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Only those with this status. */
                status?: "requested" | "pending" | "processing" | "approved" | "rejected" | "completed" | "failed";
                /** @description Only those with exactly this reference. */
                reference?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPage"];
                };
            };
        };
    };
    "payouts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayout"];
            };
        };
        responses: {
            /** @description The new payout */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    "payouts.estimate": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimatePayout"];
            };
        };
        responses: {
            /** @description The payout estimate */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutEstimate"];
                };
            };
        };
    };
    "payouts.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    "balanceSettings.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceSettings"];
                };
            };
        };
    };
    "balanceSettings.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBalanceSettings"];
            };
        };
        responses: {
            /** @description The balance settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceSettings"];
                };
            };
        };
    };
    "conversions.quotes.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConversionQuote"];
            };
        };
        responses: {
            /** @description The new conversion quote */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionQuote"];
                };
            };
        };
    };
    "conversions.quotes.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the conversion quote.
                 * @example quo_01kg9ys7g0000000000000000000000001
                 */
                quote_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversion quote */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionQuote"];
                };
            };
        };
    };
    "conversions.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "pending" | "processing" | "completed" | "failed";
                /** @description Only those with exactly this reference. */
                reference?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of conversions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionPage"];
                };
            };
        };
    };
    "conversions.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConversion"];
            };
        };
        responses: {
            /** @description The new conversion */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
        };
    };
    "conversions.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the conversion.
                 * @example cnv_01kg9ys7g0000000000000000000000001
                 */
                conversion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversion */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
        };
    };
    "balances.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description The balances as they were at this moment. It may not be in the future. */
                at?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of balances */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalancePage"];
                };
            };
        };
    };
    "balances.transactions.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those of this type. */
                type?: "payment" | "refund" | "refund_reversal" | "payout" | "payout_reversal" | "payout_return" | "conversion" | "conversion_reversal" | "dispute" | "dispute_fee" | "dispute_reversal" | "transfer" | "transfer_reversal" | "platform_fee" | "platform_fee_reversal" | "adjustment";
                /** @description Only those in this currency. */
                currency?: "CAD" | "EUR" | "GBP" | "GHS" | "JPY" | "KES" | "NGN" | "RWF" | "TZS" | "UGX" | "USD" | "XAF" | "XOF" | "ZMW";
                /** @description Only what this payment, refund, payout or other resource has caused. */
                source_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of balance transactions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceTransactionPage"];
                };
            };
        };
    };
    "transfers.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those to this account. */
                destination?: string;
                /** @description Only those of this payment. */
                payment_id?: string;
                /** @description Only those with exactly this reference. */
                reference?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transfers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferPage"];
                };
            };
        };
    };
    "transfers.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTransfer"];
            };
        };
        responses: {
            /** @description The new transfer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
        };
    };
    "transfers.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the transfer.
                 * @example tr_01kg9ys7g0000000000000000000000001
                 */
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transfer with reversals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferWithReversals"];
                };
            };
        };
    };
    "transfers.reversals.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the transfer.
                 * @example tr_01kg9ys7g0000000000000000000000001
                 */
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateTransferReversal"];
            };
        };
        responses: {
            /** @description The new transfer reversal */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferReversal"];
                };
            };
        };
    };
    "platformFees.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 1
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description The account that has paid it. */
                account_id?: string;
                /** @description Only those of this payment. */
                payment_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of platform fees */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformFeePage"];
                };
            };
        };
    };
    "platformFees.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the platform fee.
                 * @example pf_01kg9ys7g0000000000000000000000001
                 */
                platform_fee_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The platform fee with refunds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformFeeWithRefunds"];
                };
            };
        };
    };
    "platformFees.refund": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the platform fee.
                 * @example pf_01kg9ys7g0000000000000000000000001
                 */
                platform_fee_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundPlatformFee"];
            };
        };
        responses: {
            /** @description The platform fee */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformFee"];
                };
            };
        };
    };
    "account.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
        };
    };
    "account.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeOwnAccount"];
            };
        };
        responses: {
            /** @description The settings of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
        };
    };
    "accounts.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those with this status. */
                status?: "onboarding" | "under_review" | "active" | "restricted" | "rejected";
                /** @description Only those in this country. */
                country?: "NG" | "GH" | "KE" | "US" | "GB";
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountPage"];
                };
            };
        };
    };
    "accounts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccount"];
            };
        };
        responses: {
            /** @description The new account */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    "accounts.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    "accounts.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAccount"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    "accounts.capabilities.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The capabilities of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capabilities"];
                };
            };
        };
    };
    "accounts.capabilities.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
                /**
                 * @description The capability.
                 * @example payouts
                 */
                capability: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The capability */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capability"];
                };
            };
        };
    };
    "accounts.capabilities.request": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
                /**
                 * @description The capability.
                 * @example payouts
                 */
                capability: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestCapability"];
            };
        };
        responses: {
            /** @description The capability */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capability"];
                };
            };
        };
    };
    "accounts.persons.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of persons */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
        };
    };
    "accounts.persons.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePerson"];
            };
        };
        responses: {
            /** @description The new person */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
        };
    };
    "accounts.persons.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
                /**
                 * @description The id of the person.
                 * @example psn_01kg9ys7g0000000000000000000000001
                 */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
        };
    };
    "accounts.persons.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
                /**
                 * @description The id of the person.
                 * @example psn_01kg9ys7g0000000000000000000000001
                 */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPerson"];
                };
            };
        };
    };
    "accounts.persons.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
                /**
                 * @description The id of the person.
                 * @example psn_01kg9ys7g0000000000000000000000001
                 */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePerson"];
            };
        };
        responses: {
            /** @description The person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
        };
    };
    "accounts.documents.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of company documents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedCompanyDocumentPage"];
                };
            };
        };
    };
    "accounts.documents.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddCompanyDocument"];
            };
        };
        responses: {
            /** @description The new company document */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyDocument"];
                };
            };
        };
    };
    "accounts.createOnboardingLink": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOnboardingLink"];
            };
        };
        responses: {
            /** @description The new onboarding link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingLink"];
                };
            };
        };
    };
    "onboarding.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the onboarding link opens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Onboarding"];
                };
            };
        };
    };
    "onboarding.end": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The onboarding link has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedOnboarding"];
                };
            };
        };
    };
    "onboarding.findRefreshUrl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndedOnboardingToken"];
            };
        };
        responses: {
            /** @description Where the seller gets a new onboarding link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshUrl"];
                };
            };
        };
    };
    "virtualAccounts.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those of this customer. */
                customer_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of virtual accounts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualAccountPage"];
                };
            };
        };
    };
    "virtualAccounts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVirtualAccount"];
            };
        };
        responses: {
            /** @description The virtual account, which existed already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualAccount"];
                };
            };
            /** @description The new virtual account */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualAccount"];
                };
            };
        };
    };
    "virtualAccounts.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the virtual account.
                 * @example va_01kg9ys7g0000000000000000000000001
                 */
                virtual_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The virtual account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualAccount"];
                };
            };
        };
    };
    "webhooks.configuration.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigureWebhook"];
            };
        };
        responses: {
            /** @description The webhook configuration is saved */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedWebhookConfiguration"];
                };
            };
        };
    };
    "webhooks.configuration.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook configuration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookConfiguration"];
                };
            };
        };
    };
    "webhooks.configuration.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the test event was accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhook"];
                };
            };
        };
    };
    "webhooks.endpoints.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhook endpoints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
        };
    };
    "webhooks.endpoints.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The new webhook endpoint, with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    "webhooks.endpoints.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    "webhooks.endpoints.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook endpoint is deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpoint"];
                };
            };
        };
    };
    "webhooks.endpoints.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The webhook endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    "webhooks.endpoints.getSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret of the webhook endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
        };
    };
    "webhooks.endpoints.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description The secret of the webhook endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
        };
    };
    "webhooks.endpoints.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The delivery of the test event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedWebhookEndpoint"];
                };
            };
        };
    };
    "webhooks.endpoints.deliveries.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only those with this status. */
                status?: "pending" | "succeeded" | "failed" | "skipped";
                /** @description Only those of this type. */
                type?: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhook deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    "webhooks.deliveries.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook delivery.
                 * @example dlv_01kg9ys7g0000000000000000000000001
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, with its attempts and what it sends */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithBody"];
                };
            };
        };
    };
    "webhooks.endpoints.recover": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The webhook recovery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    "webhooks.recoveries.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the recovery.
                 * @example rcv_01kg9ys7g0000000000000000000000001
                 */
                recovery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook recovery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    "webhooks.events.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /** @description Only those of this type. */
                type?: "collection.succeeded" | "collection.failed" | "collection.underpaid" | "payout.created" | "payout.paid" | "payout.failed" | "payout.returned" | "refund.created" | "refund.paid" | "refund.failed" | "conversion.completed" | "conversion.failed" | "checkout.completed" | "checkout.expired" | "customer.created" | "customer.updated" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.renewed" | "customer.subscription.trial_will_end" | "customer.subscription.past_due" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.canceled" | "dispute.created" | "dispute.updated" | "dispute.evidence_due_soon" | "dispute.won" | "dispute.lost" | "invoice.paid" | "invoice.payment_failed" | "transfer.created" | "transfer.reversed" | "transfer.updated" | "platform_fee.created" | "platform_fee.refunded" | "platform_fee.updated" | "account.updated" | "capability.updated";
                /** @description Only those about this resource. */
                resource_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhook events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
        };
    };
    "webhooks.events.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the event.
                 * @example evt_01kg9ys7g0000000000000000000000001
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, with its deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventWithDeliveries"];
                };
            };
        };
    };
    "webhooks.events.resend": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the event.
                 * @example evt_01kg9ys7g0000000000000000000000001
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResendWebhookEvent"];
            };
        };
        responses: {
            /** @description The event, and its deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentWebhookEvent"];
                };
            };
        };
    };
    "events.stream": {
        parameters: {
            query?: {
                /**
                 * @description Only events of these types, separated by commas.
                 * @example refund.paid
                 */
                types?: string;
                /**
                 * @description Goes on after the event with this sequence number. Left out: with what happens from now on.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description After how many seconds the stream ends. 0: after what has happened so far.
                 * @example 0
                 */
                max_seconds?: number;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
                /** @description Goes on after the event with this id. Browsers send it when they come back. Unless empty, it wins over `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events as they happen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["EventStream"];
                };
            };
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API keys of the organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
        };
    };
    "apiKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The new API key, with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    "apiKeys.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the API key.
                 * @example key_01kg9ys7g0000000000000000000000001
                 */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key is revoked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApiKey"];
                };
            };
        };
    };
    "apiKeys.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the API key.
                 * @example key_01kg9ys7g0000000000000000000000001
                 */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeApiKey"];
            };
        };
        responses: {
            /** @description The api key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    "auth.startLogin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token for the next step of the login */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginToken"];
                };
            };
        };
    };
    "auth.login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendPassword"];
            };
        };
        responses: {
            /** @description The challenge for the second factor */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginChallenge"];
                };
            };
        };
    };
    "auth.verifyLogin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyLogin"];
            };
        };
        responses: {
            /** @description The tokens of the new login session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
        };
    };
    "auth.resendCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendCode"];
            };
        };
        responses: {
            /** @description The challenge, for which a new code was sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentChallenge"];
                };
            };
        };
    };
    "auth.refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshTokens"];
            };
        };
        responses: {
            /** @description A new pair of tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
        };
    };
    "auth.logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogOut"];
            };
        };
        responses: {
            /** @description The login session has ended, or all of them have */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedOut"];
                };
            };
        };
    };
    "auth.me": {
        parameters: {
            query?: never;
            header?: {
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person, their role and what it allows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    "auth.sessions.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices on which the person is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginSessions"];
                };
            };
        };
    };
    "auth.sessions.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a session of the caller.
                 * @example ses_01kg9ys7g0000000000000000000000001
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login session has ended, and its tokens are refused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedLoginSession"];
                };
            };
        };
    };
    "auth.secondFactor.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The second factor */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
        };
    };
    "auth.sendCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is mailed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailedCode"];
                };
            };
        };
    };
    "auth.changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description The password is changed, and all other login sessions have ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPassword"];
                };
            };
        };
    };
    "auth.backupCodes.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordAndCode"];
            };
        };
        responses: {
            /** @description The new backup codes, which are shown only here */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodes"];
                };
            };
        };
    };
    "auth.authenticator.begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BothFactors"];
            };
        };
        responses: {
            /** @description The secret of the new authenticator app, which is shown only here */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewAuthenticator"];
                };
            };
        };
    };
    "auth.authenticator.confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmAuthenticator"];
            };
        };
        responses: {
            /** @description The new authenticator app is in use, and the earlier one no longer works */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplacedAuthenticator"];
                };
            };
        };
    };
    "team.members.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of team members */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMemberPage"];
                };
            };
        };
    };
    "team.members.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example usr_01kg9ys7g0000000000000000000000001
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
        };
    };
    "team.members.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example usr_01kg9ys7g0000000000000000000000001
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is removed, and their sessions have ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedTeamMember"];
                };
            };
        };
    };
    "team.members.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the person.
                 * @example usr_01kg9ys7g0000000000000000000000001
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTeamMember"];
            };
        };
        responses: {
            /** @description The team member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMember"];
                };
            };
        };
    };
    "team.invitations.list": {
        parameters: {
            query?: {
                /** @description How many items to return at most. */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
                /** @description Only those that stand like this. */
                status?: "pending" | "expired" | "accepted" | "revoked" | "replaced";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of team invitations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitationPage"];
                };
            };
        };
    };
    "team.invitations.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTeamInvitation"];
            };
        };
        responses: {
            /** @description The new team invitation */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitation"];
                };
            };
        };
    };
    "team.invitations.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the invitation.
                 * @example ti_01kg9ys7g0000000000000000000000001
                 */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team invitation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitation"];
                };
            };
        };
    };
    "team.invitations.resend": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the invitation.
                 * @example ti_01kg9ys7g0000000000000000000000001
                 */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team invitation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitation"];
                };
            };
        };
    };
    "team.invitations.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the invitation.
                 * @example ti_01kg9ys7g0000000000000000000000001
                 */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team invitation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamInvitation"];
                };
            };
        };
    };
    "invitation.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the invitation is for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedInvitation"];
                };
            };
        };
    };
    "invitation.accept": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description The new second factor, which a code has to confirm */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationAuthenticator"];
                };
            };
        };
    };
    "invitation.confirm": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmInvitation"];
            };
        };
        responses: {
            /** @description The new person, and their backup codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinedTeam"];
                };
            };
        };
    };
    "agenda.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. */
                cursor?: string;
                /** @description Only resources of this kind. */
                resource?: "checkout_session" | "payment" | "refund" | "payout" | "payout_destination" | "conversion" | "account" | "payout_schedule" | "webhook_delivery" | "webhook_endpoint" | "subscription" | "dispute";
                /** @description Only what waits for this. */
                waiting_on?: "buyer" | "rail" | "late_money" | "reviewer" | "receiver" | "next_run" | "maturity" | "operator" | "next_period" | "merchant" | "information";
                /** @description Only what happens before this moment. */
                before?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of what the resources of the account wait for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgendaPage"];
                };
            };
        };
    };
    "accounts.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "checkoutSessions.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "payments.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "refunds.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the refund.
                 * @example ref_01kg9ys7g0000000000000000000000001
                 */
                refund_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "payouts.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "payouts.destinations.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout destination.
                 * @example pd_01kg9ys7g0000000000000000000000001
                 */
                destination_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "conversions.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the conversion.
                 * @example cnv_01kg9ys7g0000000000000000000000001
                 */
                conversion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "webhooks.deliveries.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook delivery.
                 * @example dlv_01kg9ys7g0000000000000000000000001
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "subscriptions.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "disputes.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "invoices.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "webhooks.endpoints.getAgenda": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook endpoint.
                 * @example we_01kg9ys7g0000000000000000000000001
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the resource waits for, and until when */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agenda"];
                };
            };
        };
    };
    "accounts.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the account.
                 * @example acct_01kg9ys7g0000000000000000000000001
                 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "checkoutSessions.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "payments.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "refunds.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the refund.
                 * @example ref_01kg9ys7g0000000000000000000000001
                 */
                refund_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "payouts.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "payouts.destinations.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout destination.
                 * @example pd_01kg9ys7g0000000000000000000000001
                 */
                destination_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "conversions.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the conversion.
                 * @example cnv_01kg9ys7g0000000000000000000000001
                 */
                conversion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "webhooks.deliveries.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the webhook delivery.
                 * @example dlv_01kg9ys7g0000000000000000000000001
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "subscriptions.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the subscription.
                 * @example sub_01kg9ys7g0000000000000000000000001
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "disputes.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "invoices.getTimeline": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the invoice.
                 * @example inv_01kg9ys7g0000000000000000000000001
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has happened to the resource, and what it waits for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    "requestLogs.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 1
                 */
                limit?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. */
                cursor?: string;
                /** @description Only what was created after this moment. */
                created_after?: string;
                /** @description Only what was created before this moment. */
                created_before?: string;
                /**
                 * @description Only those with this status, or with a status of this class, such as `4xx`.
                 * @example 4xx
                 */
                status?: string;
                /** @description Only those with this method. */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /**
                 * @description Only those whose `path` or `route` begins with this.
                 * @example /v1/customers
                 */
                path?: string;
                /** @description Only those with this error code. */
                error_code?: string;
                /** @description Only those with this API key. */
                api_key_id?: string;
                /** @description Only those that acted for this account. */
                acting_for?: string;
                /** @description Only those with this request id, which you may have chosen twice. */
                request_id?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of request logs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLogPage"];
                };
            };
        };
    };
    "requestLogs.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The `X-Request-Id` of an answer, or the id of a call in the log.
                 * @example 00000000-0000-4000-8000-000000000000
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLog"];
                };
            };
        };
    };
    "testHelpers.checkoutSessions.pay": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the checkout session.
                 * @example chk_01kg9ys7g0000000000000000000000001
                 */
                checkout_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayInSandbox"];
            };
        };
        responses: {
            /** @description The checkout session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
        };
    };
    "testHelpers.payments.deposit": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimulatedDeposit"];
            };
        };
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
        };
    };
    "testHelpers.virtualAccounts.deposits.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the virtual account.
                 * @example va_01kg9ys7g0000000000000000000000001
                 */
                virtual_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulatedVirtualAccountDeposit"];
            };
        };
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
        };
    };
    "testHelpers.payouts.settle": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payout.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SettlePayout"];
            };
        };
        responses: {
            /** @description The payout */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    "testHelpers.payments.dispute": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the payment.
                 * @example pay_01kg9ys7g0000000000000000000000001
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RaiseDispute"];
            };
        };
        responses: {
            /** @description The new dispute */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    "testHelpers.disputes.settle": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the dispute.
                 * @example dsp_01kg9ys7g0000000000000000000000001
                 */
                dispute_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleDispute"];
            };
        };
        responses: {
            /** @description The dispute */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    "testHelpers.events.trigger": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerEvent"];
            };
        };
        responses: {
            /** @description The new webhook event */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    "testHelpers.emails.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of emails */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailPage"];
                };
            };
        };
    };
    "testHelpers.clocks.list": {
        parameters: {
            query?: {
                /**
                 * @description How many items to return at most.
                 * @example 2
                 */
                limit?: number;
                /** @description Beyond the maximum, use a cursor. */
                offset?: number;
                /** @description Continues a list: `next_cursor` or `prev_cursor` of a page. It replaces `offset`. */
                cursor?: string;
            };
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of test clocks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClockPage"];
                };
            };
        };
    };
    "testHelpers.clocks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestClock"];
            };
        };
        responses: {
            /** @description The new test clock */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    "testHelpers.clocks.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the test clock.
                 * @example clk_01kg9ys7g0000000000000000000000001
                 */
                clock_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test clock */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    "testHelpers.clocks.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the test clock.
                 * @example clk_01kg9ys7g0000000000000000000000001
                 */
                clock_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test clock is deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedTestClock"];
                };
            };
        };
    };
    "testHelpers.clocks.attach": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the test clock.
                 * @example clk_01kg9ys7g0000000000000000000000001
                 */
                clock_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachToTestClock"];
            };
        };
        responses: {
            /** @description The test clock */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    "testHelpers.clocks.advance": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path: {
                /**
                 * @description The id of the test clock.
                 * @example clk_01kg9ys7g0000000000000000000000001
                 */
                clock_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceTestClock"];
            };
        };
        responses: {
            /** @description The test clock, and the events that have happened on the way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvancedClock"];
                };
            };
        };
    };
    "testHelpers.scenarios.run": {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same key and body get the same answer, without a second effect. */
                "Idempotency-Key"?: string;
                /** @description Acts for a connected account that the caller owns. */
                "X-Account-Id"?: string;
                /** @description For a person: the environment that the call is about. Left out, it is `live` once the organization is activated. */
                "X-Environment"?: "sandbox" | "live";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunScenario"];
            };
        };
        responses: {
            /** @description The test clock of the scenario, and all its events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RanScenario"];
                };
            };
        };
    };
    onCollectionSucceeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "collection.succeeded",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000003",
                 *         "reference": "order-1001",
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "customer": {
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "payment_method": "USD_CARD",
                 *         "metadata": {},
                 *         "status": "success",
                 *         "settlement_amount": "23.97",
                 *         "settlement_currency": "USD",
                 *         "payment_method_details": {
                 *           "brand": "visa",
                 *           "last4": "4242",
                 *           "exp_month": 12,
                 *           "exp_year": 2040,
                 *           "country": "US",
                 *           "three_d_secure": false
                 *         },
                 *         "completed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CollectionSucceededEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCollectionFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "collection.failed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000003",
                 *         "reference": "order-1001",
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "customer": {
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "payment_method": "USD_CARD",
                 *         "metadata": {},
                 *         "status": "failed",
                 *         "failure_code": "card_declined",
                 *         "failed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CollectionFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCollectionUnderpaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "collection.underpaid",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000003",
                 *         "reference": "order-1001",
                 *         "amount": "5000.00",
                 *         "currency": "NGN",
                 *         "customer": {
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "payment_method": "NGN_BANK_TRANSFER",
                 *         "metadata": {},
                 *         "status": "underpaid",
                 *         "amount_received": "2500.00"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CollectionUnderpaidEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "payout.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payout_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "payout_amount": "150000.00",
                 *         "payout_currency": "NGN",
                 *         "status": "created",
                 *         "created_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PayoutCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutPaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "payout.paid",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payout_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "payout_amount": "150000.00",
                 *         "payout_currency": "NGN",
                 *         "status": "paid",
                 *         "completed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PayoutPaidEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "payout.failed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payout_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "payout_amount": "150000.00",
                 *         "payout_currency": "NGN",
                 *         "status": "failed",
                 *         "failed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PayoutFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutReturned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "payout.returned",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "payout_id": "pay_01kg9ys7g0000000000000000000000002",
                 *         "payout_amount": "150000.00",
                 *         "payout_currency": "NGN",
                 *         "status": "returned",
                 *         "returned_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PayoutReturnedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "refund.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "refund_id": "ref_01kg9ys7g0000000000000000000000002",
                 *         "amount": "10.00",
                 *         "currency": "USD",
                 *         "reference": "order-1001",
                 *         "status": "created"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefundCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundPaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "refund.paid",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "refund_id": "ref_01kg9ys7g0000000000000000000000002",
                 *         "amount": "10.00",
                 *         "currency": "USD",
                 *         "reference": "order-1001",
                 *         "status": "paid",
                 *         "completed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefundPaidEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "refund.failed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "refund_id": "ref_01kg9ys7g0000000000000000000000002",
                 *         "amount": "10.00",
                 *         "currency": "USD",
                 *         "reference": "order-1001",
                 *         "status": "failed"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefundFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversionCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "conversion.completed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "conversion_id": "cnv_01kg9ys7g0000000000000000000000002",
                 *         "reference": "treasury-7",
                 *         "from_amount": "100.00",
                 *         "from_currency": "USD",
                 *         "to_currency": "NGN",
                 *         "status": "completed",
                 *         "to_amount": "158400.00",
                 *         "rate": "1600",
                 *         "fee": "1.00",
                 *         "completed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversionCompletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversionFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "conversion.failed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "conversion_id": "cnv_01kg9ys7g0000000000000000000000002",
                 *         "reference": "treasury-7",
                 *         "from_amount": "100.00",
                 *         "from_currency": "USD",
                 *         "to_currency": "NGN",
                 *         "status": "failed",
                 *         "failure_reason": "The rail could not execute the conversion.",
                 *         "failed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversionFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCheckoutCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "checkout.completed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000002",
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "reference": "order-1001",
                 *         "customer_details": {
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "metadata": {},
                 *         "payment_status": "paid",
                 *         "billing_currency": "USD",
                 *         "source_type": "CHECKOUT_SESSION",
                 *         "session_mode": "CART",
                 *         "products": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000003",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "customer": null,
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000004",
                 *         "subscription_id": null,
                 *         "payment_method": "CARD",
                 *         "completed_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckoutCompletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCheckoutExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "checkout.expired",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000002",
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "reference": "order-1001",
                 *         "customer_details": {
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "metadata": {},
                 *         "status": "expired",
                 *         "payment_status": "canceled",
                 *         "last_failure_code": "card_declined",
                 *         "expired_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckoutExpiredEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "customer_id": "cust_01kg9ys7g0000000000000000000000002",
                 *         "email": "ada@example.com",
                 *         "name": "Ada Buyer",
                 *         "phone_number": "+2348012345678",
                 *         "metadata": {},
                 *         "billing_address": {
                 *           "line1": "12 Marina Road",
                 *           "line2": null,
                 *           "city": "Lagos",
                 *           "state": null,
                 *           "postal_code": "101241",
                 *           "country": "NG"
                 *         },
                 *         "locale": "en-NG",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "customer_id": "cust_01kg9ys7g0000000000000000000000002",
                 *         "email": "ada@example.com",
                 *         "name": "Ada Buyer",
                 *         "phone_number": "+2348012345678",
                 *         "metadata": {},
                 *         "billing_address": {
                 *           "line1": "12 Marina Road",
                 *           "line2": null,
                 *           "city": "Lagos",
                 *           "state": null,
                 *           "postal_code": "101241",
                 *           "country": "NG"
                 *         },
                 *         "locale": "en-NG",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "active",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": "2026-03-02T12:00:00.000Z"
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-31T12:00:00.000Z",
                 *         "current_period_end": "2026-03-02T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000007"
                 *         },
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "active",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": "2026-02-21T12:00:00.000Z"
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-22T12:00:00.000Z",
                 *         "current_period_end": "2026-02-21T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "seat": "4"
                 *         },
                 *         "created_at": "2026-01-22T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionRenewed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.renewed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "active",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": "2026-03-02T12:00:00.000Z"
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-31T12:00:00.000Z",
                 *         "current_period_end": "2026-03-02T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000007"
                 *         },
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionRenewedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionTrialWillEnd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.trial_will_end",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "trialing",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 14,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": "2026-02-03T12:00:00.000Z"
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-20T12:00:00.000Z",
                 *         "current_period_end": "2026-02-03T12:00:00.000Z",
                 *         "trial_start": "2026-01-20T12:00:00.000Z",
                 *         "trial_end": "2026-02-03T12:00:00.000Z",
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": null,
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000006",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000006"
                 *         },
                 *         "created_at": "2026-01-20T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionTrialWillEndEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionPastDue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.past_due",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "past_due",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": "2026-03-02T12:00:00.000Z"
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-31T12:00:00.000Z",
                 *         "current_period_end": "2026-03-02T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": "2026-01-31T12:00:00.000Z",
                 *         "next_payment_attempt_at": "2026-02-02T12:00:00.000Z",
                 *         "attempt_count": 1,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000007"
                 *         },
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionPastDueEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionPaused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.paused",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "paused",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": null
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-01T12:00:00.000Z",
                 *         "current_period_end": "2026-01-31T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": "2026-04-01T12:00:00.000Z",
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000007"
                 *         },
                 *         "created_at": "2026-01-01T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionPausedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.resumed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "active",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": "2026-03-02T12:00:00.000Z"
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-31T12:00:00.000Z",
                 *         "current_period_end": "2026-03-02T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": null,
                 *         "ended_at": null,
                 *         "cancellation": null,
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000007"
                 *         },
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionResumedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerSubscriptionCanceled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "customer.subscription.canceled",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *         "status": "canceled",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000004",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00"
                 *           }
                 *         ],
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "credit": "0.00",
                 *         "recurring": {
                 *           "interval": "day",
                 *           "interval_count": 30,
                 *           "trial_days": 0,
                 *           "collection": "automatic",
                 *           "subscription_id": "sub_01kg9ys7g0000000000000000000000002",
                 *           "next_charge_at": null
                 *         },
                 *         "collection": "automatic",
                 *         "current_period_start": "2026-01-19T12:00:00.000Z",
                 *         "current_period_end": "2026-02-18T12:00:00.000Z",
                 *         "trial_start": null,
                 *         "trial_end": null,
                 *         "cancel_at_period_end": false,
                 *         "pause_at_period_end": false,
                 *         "paid_ahead_until": null,
                 *         "resumes_at": null,
                 *         "canceled_at": "2026-01-31T12:00:00.000Z",
                 *         "ended_at": "2026-01-31T12:00:00.000Z",
                 *         "cancellation": {
                 *           "reason": "too_expensive",
                 *           "comment": null,
                 *           "by": "customer"
                 *         },
                 *         "past_due_at": null,
                 *         "next_payment_attempt_at": null,
                 *         "attempt_count": 0,
                 *         "payment_method": "CARD",
                 *         "payment_method_id": "pm_01kg9ys7g0000000000000000000000005",
                 *         "pending_update": null,
                 *         "latest_invoice_id": "inv_01kg9ys7g0000000000000000000000006",
                 *         "checkout_id": "chk_01kg9ys7g0000000000000000000000007",
                 *         "metadata": {
                 *           "checkout_id": "chk_01kg9ys7g0000000000000000000000007"
                 *         },
                 *         "created_at": "2026-01-19T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerSubscriptionCanceledEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "dispute.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "dispute_id": "dsp_01kg9ys7g0000000000000000000000002",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000003",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000004",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "fee": "15.00",
                 *         "status": "needs_response",
                 *         "reason": "product_not_received",
                 *         "network_reason_code": "13.1",
                 *         "evidence": {
                 *           "access_activity_log": null,
                 *           "billing_address": "12 Marina Road, Lagos 101241, NG",
                 *           "cancellation_policy_disclosure": null,
                 *           "cancellation_rebuttal": null,
                 *           "customer_email_address": "ada@example.com",
                 *           "customer_name": "Ada Buyer",
                 *           "customer_purchase_ip": null,
                 *           "duplicate_charge_explanation": null,
                 *           "duplicate_charge_id": null,
                 *           "product_description": null,
                 *           "refund_policy_disclosure": null,
                 *           "refund_refusal_explanation": null,
                 *           "service_date": null,
                 *           "shipping_address": null,
                 *           "shipping_carrier": null,
                 *           "shipping_date": null,
                 *           "shipping_tracking_number": null,
                 *           "uncategorized_text": null,
                 *           "cancellation_policy_attachment_id": null,
                 *           "customer_communication_attachment_id": null,
                 *           "customer_signature_attachment_id": null,
                 *           "duplicate_charge_attachment_id": null,
                 *           "receipt_attachment_id": null,
                 *           "refund_policy_attachment_id": null,
                 *           "service_documentation_attachment_id": null,
                 *           "shipping_documentation_attachment_id": null,
                 *           "uncategorized_attachment_id": null
                 *         },
                 *         "evidence_due_at": "2026-02-14T12:00:00.000Z",
                 *         "warns_until": null,
                 *         "has_evidence": false,
                 *         "past_due": false,
                 *         "submission_count": 0,
                 *         "submitted_at": null,
                 *         "resolution": null,
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "resolved_at": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "dispute.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "dispute_id": "dsp_01kg9ys7g0000000000000000000000002",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000003",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000004",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "fee": "15.00",
                 *         "status": "under_review",
                 *         "reason": "product_not_received",
                 *         "network_reason_code": "13.1",
                 *         "evidence": {
                 *           "access_activity_log": "2026-01-05 09:14 UTC: the customer logged in and downloaded the invoice.",
                 *           "billing_address": "12 Marina Road, Lagos 101241, NG",
                 *           "cancellation_policy_disclosure": null,
                 *           "cancellation_rebuttal": null,
                 *           "customer_email_address": "ada@example.com",
                 *           "customer_name": "Ada Buyer",
                 *           "customer_purchase_ip": null,
                 *           "duplicate_charge_explanation": null,
                 *           "duplicate_charge_id": null,
                 *           "product_description": null,
                 *           "refund_policy_disclosure": null,
                 *           "refund_refusal_explanation": null,
                 *           "service_date": null,
                 *           "shipping_address": null,
                 *           "shipping_carrier": null,
                 *           "shipping_date": null,
                 *           "shipping_tracking_number": null,
                 *           "uncategorized_text": null,
                 *           "cancellation_policy_attachment_id": null,
                 *           "customer_communication_attachment_id": null,
                 *           "customer_signature_attachment_id": null,
                 *           "duplicate_charge_attachment_id": null,
                 *           "receipt_attachment_id": null,
                 *           "refund_policy_attachment_id": null,
                 *           "service_documentation_attachment_id": null,
                 *           "shipping_documentation_attachment_id": null,
                 *           "uncategorized_attachment_id": null
                 *         },
                 *         "evidence_due_at": "2026-02-11T12:00:00.000Z",
                 *         "warns_until": null,
                 *         "has_evidence": true,
                 *         "past_due": false,
                 *         "submission_count": 1,
                 *         "submitted_at": "2026-01-31T12:00:00.000Z",
                 *         "resolution": null,
                 *         "created_at": "2026-01-28T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "resolved_at": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeEvidenceDueSoon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "dispute.evidence_due_soon",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "dispute_id": "dsp_01kg9ys7g0000000000000000000000002",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000003",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000004",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "fee": "15.00",
                 *         "status": "needs_response",
                 *         "reason": "product_not_received",
                 *         "network_reason_code": "13.1",
                 *         "evidence": {
                 *           "access_activity_log": null,
                 *           "billing_address": "12 Marina Road, Lagos 101241, NG",
                 *           "cancellation_policy_disclosure": null,
                 *           "cancellation_rebuttal": null,
                 *           "customer_email_address": "ada@example.com",
                 *           "customer_name": "Ada Buyer",
                 *           "customer_purchase_ip": null,
                 *           "duplicate_charge_explanation": null,
                 *           "duplicate_charge_id": null,
                 *           "product_description": null,
                 *           "refund_policy_disclosure": null,
                 *           "refund_refusal_explanation": null,
                 *           "service_date": null,
                 *           "shipping_address": null,
                 *           "shipping_carrier": null,
                 *           "shipping_date": null,
                 *           "shipping_tracking_number": null,
                 *           "uncategorized_text": null,
                 *           "cancellation_policy_attachment_id": null,
                 *           "customer_communication_attachment_id": null,
                 *           "customer_signature_attachment_id": null,
                 *           "duplicate_charge_attachment_id": null,
                 *           "receipt_attachment_id": null,
                 *           "refund_policy_attachment_id": null,
                 *           "service_documentation_attachment_id": null,
                 *           "shipping_documentation_attachment_id": null,
                 *           "uncategorized_attachment_id": null
                 *         },
                 *         "evidence_due_at": "2026-02-02T12:00:00.000Z",
                 *         "warns_until": null,
                 *         "has_evidence": false,
                 *         "past_due": false,
                 *         "submission_count": 0,
                 *         "submitted_at": null,
                 *         "resolution": null,
                 *         "created_at": "2026-01-19T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "resolved_at": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeEvidenceDueSoonEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeWon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "dispute.won",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "dispute_id": "dsp_01kg9ys7g0000000000000000000000002",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000003",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000004",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "fee": "15.00",
                 *         "status": "won",
                 *         "reason": "product_not_received",
                 *         "network_reason_code": "13.1",
                 *         "evidence": {
                 *           "access_activity_log": "2026-01-05 09:14 UTC: the customer logged in and downloaded the invoice.",
                 *           "billing_address": "12 Marina Road, Lagos 101241, NG",
                 *           "cancellation_policy_disclosure": null,
                 *           "cancellation_rebuttal": null,
                 *           "customer_email_address": "ada@example.com",
                 *           "customer_name": "Ada Buyer",
                 *           "customer_purchase_ip": null,
                 *           "duplicate_charge_explanation": null,
                 *           "duplicate_charge_id": null,
                 *           "product_description": null,
                 *           "refund_policy_disclosure": null,
                 *           "refund_refusal_explanation": null,
                 *           "service_date": null,
                 *           "shipping_address": null,
                 *           "shipping_carrier": null,
                 *           "shipping_date": null,
                 *           "shipping_tracking_number": null,
                 *           "uncategorized_text": null,
                 *           "cancellation_policy_attachment_id": null,
                 *           "customer_communication_attachment_id": null,
                 *           "customer_signature_attachment_id": null,
                 *           "duplicate_charge_attachment_id": null,
                 *           "receipt_attachment_id": null,
                 *           "refund_policy_attachment_id": null,
                 *           "service_documentation_attachment_id": null,
                 *           "shipping_documentation_attachment_id": null,
                 *           "uncategorized_attachment_id": null
                 *         },
                 *         "evidence_due_at": "2026-02-11T12:00:00.000Z",
                 *         "warns_until": null,
                 *         "has_evidence": true,
                 *         "past_due": false,
                 *         "submission_count": 1,
                 *         "submitted_at": "2026-01-30T12:00:00.000Z",
                 *         "resolution": "evidence",
                 *         "created_at": "2026-01-28T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "resolved_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeWonEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeLost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "dispute.lost",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "dispute_id": "dsp_01kg9ys7g0000000000000000000000002",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000003",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000004",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "amount": "25.00",
                 *         "currency": "USD",
                 *         "fee": "15.00",
                 *         "status": "lost",
                 *         "reason": "product_not_received",
                 *         "network_reason_code": "13.1",
                 *         "evidence": {
                 *           "access_activity_log": "2026-01-05 09:14 UTC: the customer logged in and downloaded the invoice.",
                 *           "billing_address": "12 Marina Road, Lagos 101241, NG",
                 *           "cancellation_policy_disclosure": null,
                 *           "cancellation_rebuttal": null,
                 *           "customer_email_address": "ada@example.com",
                 *           "customer_name": "Ada Buyer",
                 *           "customer_purchase_ip": null,
                 *           "duplicate_charge_explanation": null,
                 *           "duplicate_charge_id": null,
                 *           "product_description": null,
                 *           "refund_policy_disclosure": null,
                 *           "refund_refusal_explanation": null,
                 *           "service_date": null,
                 *           "shipping_address": null,
                 *           "shipping_carrier": null,
                 *           "shipping_date": null,
                 *           "shipping_tracking_number": null,
                 *           "uncategorized_text": null,
                 *           "cancellation_policy_attachment_id": null,
                 *           "customer_communication_attachment_id": null,
                 *           "customer_signature_attachment_id": null,
                 *           "duplicate_charge_attachment_id": null,
                 *           "receipt_attachment_id": null,
                 *           "refund_policy_attachment_id": null,
                 *           "service_documentation_attachment_id": null,
                 *           "shipping_documentation_attachment_id": null,
                 *           "uncategorized_attachment_id": null
                 *         },
                 *         "evidence_due_at": "2026-02-11T12:00:00.000Z",
                 *         "warns_until": null,
                 *         "has_evidence": true,
                 *         "past_due": false,
                 *         "submission_count": 1,
                 *         "submitted_at": "2026-01-30T12:00:00.000Z",
                 *         "resolution": "evidence",
                 *         "created_at": "2026-01-28T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "resolved_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeLostEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoicePaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "invoice.paid",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "invoice_id": "inv_01kg9ys7g0000000000000000000000002",
                 *         "number": "INV-000042",
                 *         "billing_reason": "subscription_cycle",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000004",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000005",
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000006",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00",
                 *             "kind": "plan",
                 *             "period_start": "2026-01-31T12:00:00.000Z",
                 *             "period_end": "2026-03-02T12:00:00.000Z"
                 *           }
                 *         ],
                 *         "subtotal": "25.00",
                 *         "total": "25.00",
                 *         "currency": "USD",
                 *         "period_start": "2026-01-31T12:00:00.000Z",
                 *         "period_end": "2026-03-02T12:00:00.000Z",
                 *         "due_at": "2026-01-31T12:00:00.000Z",
                 *         "attempt_count": 1,
                 *         "hosted_invoice_url": "https://example.com/invoices/inv_01kg9ys7g0000000000000000000000002",
                 *         "pdf_url": "https://example.com/invoices/inv_01kg9ys7g0000000000000000000000002/pdf",
                 *         "billing_address": {
                 *           "line1": "12 Marina Road",
                 *           "line2": null,
                 *           "city": "Lagos",
                 *           "state": null,
                 *           "postal_code": "101241",
                 *           "country": "NG"
                 *         },
                 *         "metadata": {},
                 *         "finalized_at": "2026-01-31T12:00:00.000Z",
                 *         "voided_at": null,
                 *         "status": "paid",
                 *         "amount_paid": "25.00",
                 *         "amount_due": "0.00",
                 *         "next_payment_attempt_at": null,
                 *         "paid_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoicePaidEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoicePaymentFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "invoice.payment_failed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "invoice_id": "inv_01kg9ys7g0000000000000000000000002",
                 *         "number": "INV-000042",
                 *         "billing_reason": "subscription_cycle",
                 *         "customer": {
                 *           "id": "cust_01kg9ys7g0000000000000000000000003",
                 *           "email": "ada@example.com",
                 *           "name": "Ada Buyer"
                 *         },
                 *         "subscription_id": "sub_01kg9ys7g0000000000000000000000004",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000005",
                 *         "line_items": [
                 *           {
                 *             "product_id": "prod_01kg9ys7g0000000000000000000000006",
                 *             "product_name": "Team plan",
                 *             "quantity": 1,
                 *             "unit_amount": "25.00",
                 *             "currency": "USD",
                 *             "price_type": "fixed",
                 *             "minimum_amount": null,
                 *             "maximum_amount": null,
                 *             "line_total": "25.00",
                 *             "kind": "plan",
                 *             "period_start": "2026-01-31T12:00:00.000Z",
                 *             "period_end": "2026-03-02T12:00:00.000Z"
                 *           }
                 *         ],
                 *         "subtotal": "25.00",
                 *         "total": "25.00",
                 *         "currency": "USD",
                 *         "period_start": "2026-01-31T12:00:00.000Z",
                 *         "period_end": "2026-03-02T12:00:00.000Z",
                 *         "due_at": "2026-01-31T12:00:00.000Z",
                 *         "attempt_count": 1,
                 *         "hosted_invoice_url": "https://example.com/invoices/inv_01kg9ys7g0000000000000000000000002",
                 *         "pdf_url": "https://example.com/invoices/inv_01kg9ys7g0000000000000000000000002/pdf",
                 *         "billing_address": {
                 *           "line1": "12 Marina Road",
                 *           "line2": null,
                 *           "city": "Lagos",
                 *           "state": null,
                 *           "postal_code": "101241",
                 *           "country": "NG"
                 *         },
                 *         "metadata": {},
                 *         "finalized_at": "2026-01-31T12:00:00.000Z",
                 *         "voided_at": null,
                 *         "status": "open",
                 *         "amount_paid": "0.00",
                 *         "amount_due": "25.00",
                 *         "next_payment_attempt_at": "2026-02-02T12:00:00.000Z",
                 *         "paid_at": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoicePaymentFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransferCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "transfer.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "transfer_id": "tr_01kg9ys7g0000000000000000000000002",
                 *         "status": "succeeded",
                 *         "source": "acct_01kg9ys7g0000000000000000000000003",
                 *         "destination": "acct_01kg9ys7g0000000000000000000000004",
                 *         "amount": "70.00",
                 *         "currency": "USD",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000005",
                 *         "reference": "order-1001",
                 *         "available_at": "2026-02-02T12:00:00.000Z",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "reversed_amount": "0.00",
                 *         "description": null,
                 *         "metadata": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TransferCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransferReversed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "transfer.reversed",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "transfer_id": "tr_01kg9ys7g0000000000000000000000002",
                 *         "status": "partially_reversed",
                 *         "source": "acct_01kg9ys7g0000000000000000000000003",
                 *         "destination": "acct_01kg9ys7g0000000000000000000000004",
                 *         "amount": "70.00",
                 *         "currency": "USD",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000005",
                 *         "reference": "order-1001",
                 *         "available_at": "2026-02-02T12:00:00.000Z",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "reversed_amount": "35.00",
                 *         "description": null,
                 *         "metadata": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TransferReversedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransferUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "transfer.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "transfer_id": "tr_01kg9ys7g0000000000000000000000002",
                 *         "status": "succeeded",
                 *         "source": "acct_01kg9ys7g0000000000000000000000003",
                 *         "destination": "acct_01kg9ys7g0000000000000000000000004",
                 *         "amount": "70.00",
                 *         "currency": "USD",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000005",
                 *         "reference": "order-1001",
                 *         "available_at": "2026-02-02T12:00:00.000Z",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "reversed_amount": "0.00",
                 *         "description": null,
                 *         "metadata": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TransferUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlatformFeeCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "platform_fee.created",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "platform_fee_id": "pf_01kg9ys7g0000000000000000000000002",
                 *         "status": "succeeded",
                 *         "account_id": "acct_01kg9ys7g0000000000000000000000003",
                 *         "amount": "70.00",
                 *         "currency": "USD",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000004",
                 *         "reference": "order-1001",
                 *         "available_at": "2026-02-02T12:00:00.000Z",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "refunded_amount": "0.00"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlatformFeeCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlatformFeeRefunded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "platform_fee.refunded",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "platform_fee_id": "pf_01kg9ys7g0000000000000000000000002",
                 *         "status": "partially_refunded",
                 *         "account_id": "acct_01kg9ys7g0000000000000000000000003",
                 *         "amount": "70.00",
                 *         "currency": "USD",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000004",
                 *         "reference": "order-1001",
                 *         "available_at": "2026-02-02T12:00:00.000Z",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "refunded_amount": "35.00"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlatformFeeRefundedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlatformFeeUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "platform_fee.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "platform_fee_id": "pf_01kg9ys7g0000000000000000000000002",
                 *         "status": "succeeded",
                 *         "account_id": "acct_01kg9ys7g0000000000000000000000003",
                 *         "amount": "70.00",
                 *         "currency": "USD",
                 *         "payment_id": "pay_01kg9ys7g0000000000000000000000004",
                 *         "reference": "order-1001",
                 *         "available_at": "2026-02-02T12:00:00.000Z",
                 *         "created_at": "2026-01-31T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z",
                 *         "refunded_amount": "0.00"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlatformFeeUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAccountUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "account.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "account_id": "acct_01kg9ys7g0000000000000000000000002",
                 *         "type": "connected",
                 *         "status": "active",
                 *         "status_reason": null,
                 *         "country": "NG",
                 *         "business_type": "company",
                 *         "email": "books@example.com",
                 *         "business_profile": {
                 *           "name": "Example Books",
                 *           "product_category": "ebooks",
                 *           "product_description": "School books in print and for reading on a phone",
                 *           "website": "https://books.example.com"
                 *         },
                 *         "company": {
                 *           "name": "Example Books Ltd",
                 *           "registration_number": "RC123456",
                 *           "tax_id_provided": true,
                 *           "phone_number": "+2348012345678",
                 *           "address": {
                 *             "line1": "12 Marina Road",
                 *             "line2": null,
                 *             "city": "Lagos",
                 *             "state": null,
                 *             "postal_code": "101241",
                 *             "country": "NG"
                 *           },
                 *           "owners_provided": true
                 *         },
                 *         "persons": [
                 *           {
                 *             "person_id": "psn_01kg9ys7g0000000000000000000000003",
                 *             "roles": [
                 *               "representative",
                 *               "owner"
                 *             ]
                 *           }
                 *         ],
                 *         "terms_accepted_at": "2026-01-24T12:00:00.000Z",
                 *         "capabilities": {
                 *           "card_payments": "active",
                 *           "bank_transfer_payments": "active",
                 *           "mobile_money_payments": "inactive",
                 *           "crypto_payments": "inactive",
                 *           "payouts": "active",
                 *           "virtual_accounts": "pending",
                 *           "transfers": "active"
                 *         },
                 *         "requirements": {
                 *           "currently_due": [],
                 *           "eventually_due": [],
                 *           "past_due": [],
                 *           "pending_verification": [
                 *             "company.memorandum"
                 *           ],
                 *           "errors": [],
                 *           "current_deadline": null,
                 *           "disabled_reason": null
                 *         },
                 *         "charges_enabled": true,
                 *         "payouts_enabled": true,
                 *         "default_currency": "NGN",
                 *         "metadata": {},
                 *         "created_at": "2026-01-24T12:00:00.000Z",
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AccountUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCapabilityUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01kg9ys7g0000000000000000000000001",
                 *       "type": "capability.updated",
                 *       "created_at": "2026-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "account_id": "acct_01kg9ys7g0000000000000000000000002",
                 *         "capability": "virtual_accounts",
                 *         "requested": true,
                 *         "status": "active",
                 *         "requirements": {
                 *           "currently_due": [],
                 *           "eventually_due": [],
                 *           "past_due": [],
                 *           "pending_verification": [],
                 *           "errors": [],
                 *           "current_deadline": null,
                 *           "disabled_reason": null
                 *         },
                 *         "updated_at": "2026-01-31T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CapabilityUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
