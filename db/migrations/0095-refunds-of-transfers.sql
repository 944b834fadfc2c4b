-- Refunds of a transfer into a virtual account, by Paystack's reference of the transfer: their callbacks name only that.
create index "paystack_orders_by_transfer" on "paystack_orders" ("transfer_code") where transfer_code is not null;
